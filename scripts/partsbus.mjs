// @ts-check
/** `npm run partsbus -- COMMAND`: the command line of a checkout. */
import './node/on-supported-node.mjs'

await import('../packages/operations/bin/partsbus.js')
