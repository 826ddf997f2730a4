/** A workflow that the check has nothing against, in a checkout with `known`. */
export const PATH = '.github/workflows/ci.yml'
export const CHECKOUT = `actions/checkout@${'0123456789'.repeat(4)} # v7.0.1`
export const GOOD = `name: ci
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
/** The scripts of `package.json` and the files that it runs. */
export const SCRIPTS = ['test', 'check']
export const FILES = ['scripts/start.sh', 'scripts/prepare.mjs']
