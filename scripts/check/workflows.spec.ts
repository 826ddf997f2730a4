import { describe, expect, it } from '@jest/globals'
import { checkWorkflow } from './workflows.mjs'

const PATH = '.github/workflows/ci.yml'
const CHECKOUT = `actions/checkout@${'0123456789'.repeat(4)} # v7.0.1`
const GOOD = `name: ci
on: push
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - uses: ${CHECKOUT}
      - run: npm test && npm run --silent check
      - run: sh scripts/start.sh && node scripts/prepare.mjs
`
const known = { scripts: ['test', 'check'], isFile: (path: string) => /^scripts\/(start.sh|prepare.mjs)$/.test(path) }

describe('a workflow', () => {
  it('may be like this', () => {
    expect(checkWorkflow(PATH, GOOD, known)).toEqual([])
  })

  it.each([
    ['an action by its tag', CHECKOUT, 'actions/checkout@v7', 'ci.yml:10  action-pinned'],
    ['a commit without its version', ' # v7.0.1', '', 'ci.yml:10  action-pinned'],
    ['a script that is not there', 'run --silent check', 'run --silent chekc', 'ci.yml:11  known-script'],
    ['a file that is not there', 'scripts/start.sh', 'scripts/strat.sh', 'ci.yml:12  known-file'],
    ['no word of rights', 'permissions:\n  contents: read\n', '', 'ci.yml  least-rights'],
    ['all rights', 'permissions:\n  contents: read\n', 'permissions: write-all\n', 'ci.yml  least-rights'],
    ['a right to write for every job', 'contents: read', 'contents: write', 'ci.yml  least-rights'],
    ['a job that may run for hours', '    timeout-minutes: 10\n', '', 'ci.yml  job-ends'],
  ])('may not have %s', (_what, from, to, complaint) => {
    expect(GOOD).toContain(from)
    const complaints = checkWorkflow(PATH, GOOD.replace(from, to), known)
    expect(complaints).toEqual([expect.stringContaining(complaint)])
  })
})
