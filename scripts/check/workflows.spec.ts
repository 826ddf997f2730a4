import { describe, expect, it } from '@jest/globals'
import { CHECKOUT, FILES, GOOD, PATH, SCRIPTS } from './workflow-sample.js'
import { checkWorkflow } from './workflows.mjs'

const known = { scripts: SCRIPTS, isFile: (path: string) => FILES.includes(path) }

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
