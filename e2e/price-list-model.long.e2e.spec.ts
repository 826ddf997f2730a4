import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from './testing/shop.js'

const hasTools = ['spin', 'cc'].every((tool) => spawnSync('which', [tool]).status === 0)
const itWithTools = hasTools ? it : it.skip
if (!hasTools) console.warn('skipped: the model needs Spin and a C compiler (apt-get install spin gcc libc6-dev)')

describe('the model of the price list protocol (promises.md#promise-3)', () => {
  itWithTools(
    'has no counterexample, and has one for each defect that is brought back',
    () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'docs/models/check.mjs')], {
        encoding: 'utf8',
      })
      expect({ status, output: `${stdout}${stderr}` }).toEqual({
        status: 0,
        output: expect.stringContaining('0 errors'),
      })
    },
    300_000,
  )
})
