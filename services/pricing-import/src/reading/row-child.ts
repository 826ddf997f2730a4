import { openSync, writeSync } from 'node:fs'
import { serveParent } from '@partsbus/price-file/reader-process/serve-parent'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import { NoLayout } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import { batchRows } from './batch-rows.js'
import { type CountedRows, countRows } from './count-rows.js'
import { previewRows } from './preview-rows.js'
import { batchPath, type RowAnswer, type RowBatch, type RowOrder } from './row-orders.js'
import { RowSource } from './row-source.js'

/*
 * The child of `caged-rows.ts`: from bytes to what is stored, so that the service's own event loop only passes it on.
 * preview → previewed;  count → counted, write → ready, (next → batch)*, next → end, (named → named)*.
 */

let counted: { source: RowSource; rules: ReadingRules; rows: CountedRows } | undefined
let batches: AsyncGenerator<RowBatch, RowCounters> | undefined
let file = -1

serveParent(async (order: RowOrder): Promise<RowAnswer> => {
  try {
    return await answer(order)
  } catch (error) {
    if (error instanceof NoLayout) return { answer: 'no layout', message: error.message }
    // the file is not to blame
    if (isDiskFull(error)) throw new PriceFileError('CAGE', 'There is no room on disk to read the file.')
    throw error
  }
})

async function answer(order: RowOrder): Promise<RowAnswer> {
  switch (order.order) {
    case 'preview': {
      const { file, folder, rules } = order
      return {
        answer: 'previewed',
        preview: await previewRows(await RowSource.open(file, folder, rules.format), rules, folder),
      }
    }
    case 'count': {
      const { file, folder, rules, keepKeys } = order
      const source = await RowSource.open(file, folder, rules.format)
      const rows = await countRows(source, rules, folder, keepKeys)
      counted = { source, rules, rows }
      return { answer: 'counted', count: { total: rows.total, importable: rows.importable, header: rows.header } }
    }
    case 'write': {
      const { folder, version, afterRow, atOnce } = order
      file = openSync(batchPath(folder), 'w')
      if (counted) batches = batchRows(counted.source, counted.rules, counted.rows, { version, afterRow, atOnce })
      return { answer: 'ready' }
    }
    case 'next': {
      const next = await batches?.next()
      if (!next) throw new Error('next before write')
      return next.done ? { answer: 'end', counters: next.value } : leave(next.value)
    }
    case 'named':
      return {
        answer: 'named',
        named: Uint8Array.from(order.keys, ([brand, article]) => (counted?.rows.keys.has(brand, article) ? 1 : 0)),
      }
  }
}

function leave({ offers, skipped, ...head }: RowBatch): RowAnswer {
  writeAll(offers, 0)
  writeAll(skipped, offers.length)
  return { answer: 'batch', head, offerBytes: offers.length, skippedBytes: skipped.length }
}

function writeAll(bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written, position + written)
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
