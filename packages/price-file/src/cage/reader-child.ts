import { checkPriceFile, openPriceFile, type PriceFileRows } from '../open-price-file.js'
import { PriceFileError } from '../price-file-error.js'
import type { Answer, Order } from './cage-messages.js'

/*
 * The child of `caged-reader.ts`: reads foreign bytes where a crash, a loop or a bomb ends nobody but itself.
 * check → checked | failed;  open → opened | failed;  next → block | end | failed, as often as asked.
 */

let rows: PriceFileRows | undefined

/** Orders are answered one after another: a block may be overwritten once the next is asked for. */
let last: Promise<unknown> = Promise.resolve()
process.on('message', (order: Order) => {
  last = last.then(() => answer(order)).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.(failure(error)),
  )
})
// the parent went away
process.on('disconnect', () => process.exit(0))

async function answer(order: Order): Promise<Answer> {
  if (order.order === 'check') {
    await checkPriceFile(order.path, order.fileName, order.folder, order.maxUnpacked)
    return { answer: 'checked' }
  }
  if (order.order === 'open') {
    rows = await openPriceFile(order.path, order.fileName, order.folder, order.options)
    return { answer: 'opened', encoding: rows.encoding, delimiter: rows.delimiter, sheet: rows.sheet }
  }
  const next = await rows?.packed.next()
  return next === undefined || next.done ? { answer: 'end' } : { answer: 'block', block: next.value }
}

function failure(error: unknown): Answer {
  if (error instanceof PriceFileError) {
    return { answer: 'failed', problem: error.problem, message: error.message, ...(error.row !== undefined && { row: error.row }) }
  }
  return { answer: 'failed', problem: 'DAMAGED', message: 'The file cannot be read.' }
}
