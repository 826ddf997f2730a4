import { openSync, writeSync } from 'node:fs'
import { serveParent } from '@partsbus/price-file/reader-process/serve-parent'
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
 * open → opened, then preview → previewed;
 * or count → counted, write → ready, (next → batch)*, next → end, (named → named)*.
 */

let opened: { source: RowSource; rules: ReadingRules } | undefined
let counted: CountedRows | undefined
let batches: AsyncGenerator<RowBatch, RowCounters> | undefined
let file = -1

serveParent(async (order: RowOrder): Promise<RowAnswer> => {
  try {
    return await answer(order)
  } catch (error) {
    if (error instanceof NoLayout) return { answer: 'no layout', message: error.message }
    throw error
  }
})

async function answer(order: RowOrder): Promise<RowAnswer> {
  switch (order.order) {
    case 'open': {
      const { file, folder, rules } = order
      const source = await RowSource.open(file, folder, rules.format)
      opened = { source, rules }
      return { answer: 'opened', unpackedBytes: source.unpackedBytes }
    }
    case 'preview': {
      const { source, rules } = requireOpened()
      return { answer: 'previewed', preview: await previewRows(source, rules, order.folder) }
    }
    case 'count': {
      const { source, rules } = requireOpened()
      counted = await countRows(source, rules, order.folder, order.keepKeys)
      const { total, importable, header } = counted
      return { answer: 'counted', count: { total, importable, header } }
    }
    case 'write': {
      const { folder, version, afterRow, atOnce } = order
      file = openSync(batchPath(folder), 'w')
      const { source, rules } = requireOpened()
      if (counted) batches = batchRows(source, rules, counted, { version, afterRow, atOnce })
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
        named: Uint8Array.from(order.keys, ([brand, article]) => (counted?.keys.has(brand, article) ? 1 : 0)),
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

function requireOpened(): NonNullable<typeof opened> {
  if (!opened) throw new Error('the file was not opened')
  return opened
}
