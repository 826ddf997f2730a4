// @ts-check
import { createHash } from 'node:crypto'
import Sequencer from '@jest/test-sequencer'

/** @typedef {Parameters<import('@jest/test-sequencer').default['sort']>[0][number]} Spec */

// Its types describe the module as `require` sees it, Node imports the class itself.
const JestOrder = /** @type {typeof Sequencer.default} */ (/** @type {unknown} */ (Sequencer))

/** What takes minutes starts first. Jest itself knows durations from the second run of a checkout on. */
const LONGEST = ['events', 'import-faults', 'large-imports', 'real-catalogues', 'backup', 'import-pages'].map(
  (name) => `/e2e/${name}.e2e.spec.ts`,
)

/**
 * Specs that share a product run in the order of their paths, on every machine: Jest's own order follows durations in a
 * cache. `SPEC_ORDER=any-text` shuffles them, the same text always in the same way, to show a spec that depends on
 * what another one left. All other specs keep Jest's order, which starts the slowest first, behind the longest.
 */
export default class FixedOrder extends JestOrder {
  /**
   * @override
   * @param {Spec[]} tests
   */
  async sort(tests) {
    const isSerial = (/** @type {Spec} */ test) => test.context.config.runner.endsWith('serial-runner.mjs')
    const serial = tests.filter(isSerial).sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))
    const others = await super.sort(tests.filter((test) => !isSerial(test)))
    return [...others.sort((a, b) => longestRank(a.path) - longestRank(b.path)), ...serial]
  }
}

/** @param {string} path */
function rank(path) {
  const seed = process.env.SPEC_ORDER
  return seed === undefined ? path : createHash('sha1').update(`${seed}:${path}`).digest('hex')
}

/** @param {string} path */
function longestRank(path) {
  const at = LONGEST.findIndex((end) => path.endsWith(end))
  return at === -1 ? LONGEST.length : at
}
