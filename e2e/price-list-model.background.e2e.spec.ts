import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from './testing/shop.js'

const hasTools = ['spin', 'cc'].every((tool) => spawnSync('which', [tool]).status === 0)
const itWithTools = hasTools ? it : it.skip
if (!hasTools) console.warn('skipped: the models need Spin and a C compiler (apt-get install spin gcc libc6-dev)')

describe('the models of price lists and of ids (promises.md#promise-3, rules.md#restored-ids)', () => {
  itWithTools(
    'have no counterexample, and have one for each defect that is brought back',
    async () => {
      // a counterexample is an exit code, which is thrown with the output
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'docs/develop/models/check.mjs')])
      expect(stdout).toMatch(/price-list\.pml: \d+ states, 0 errors[^]*ids\.pml: \d+ states, 0 errors/)
    },
    600_000,
  )
})
