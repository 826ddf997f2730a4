import { checkPriceFile, openPriceFile, type PriceFileRows } from '../open-price-file.js'
import type { Answer, Order } from './check-protocol.js'
import { serveParent } from './serve-parent.js'

/*
 * The child of `caged-reader.ts`: check → checked | failed;  open → opened | failed;  next → block | end | failed, as often as asked.
 */

let rows: PriceFileRows | undefined

serveParent(async (order: Order): Promise<Answer> => {
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
})
