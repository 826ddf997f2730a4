import { openSync, writeSync } from 'node:fs'
import { serveParent } from '@partsbus/price-file/reader-process/serve-parent'
import { ColumnsNotFound } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import { batchRows } from './batch-rows.js'
import { type CountedRows, countRows, rowCount } from './count-rows.js'
import { previewRows } from './preview-rows.js'
import { batchPath, type ReaderResponse, type RowBatch, type ReaderRequest } from './reader-protocol.js'
import { RowSource } from './row-source.js'

/*
 * The child process of `out-of-process-reader.ts`. It turns the file into BSON documents, so that the service only
 * passes them on.
 * open → opened, then preview → previewed, (compare → compared)*;
 * or count → counted, write → ready, (next → batch)*, next → end, (contains-keys → keys)*.
 */

let opened: { source: RowSource; rules: ReadingRules } | undefined
let counted: CountedRows | undefined
let batches: AsyncGenerator<RowBatch, RowCounters> | undefined
let file = -1

serveParent(async (request: ReaderRequest): Promise<ReaderResponse> => {
  try {
    return await respond(request)
  } catch (error) {
    if (error instanceof ColumnsNotFound)
      return { answer: 'columns-not-found', message: error.message, columns: error.columns }
    throw error
  }
})

async function respond(request: ReaderRequest): Promise<ReaderResponse> {
  switch (request.request) {
    case 'open': {
      const { file, folder, rules } = request
      const source = await RowSource.open(file, folder, rules.format)
      opened = { source, rules }
      return { answer: 'opened', unpackedBytes: source.unpackedBytes }
    }
    case 'preview': {
      const { source, rules } = requireOpened()
      const read = await previewRows(source, rules, request.folder)
      counted = read.counted
      return { answer: 'previewed', preview: read.preview }
    }
    case 'count': {
      const { source, rules } = requireOpened()
      counted = await countRows(source, rules, request.folder, request.keepKeys ? 'keys' : 'nothing')
      return { answer: 'counted', count: rowCount(counted) }
    }
    case 'write': {
      const { folder, version, afterRow, atOnce } = request
      file = openSync(batchPath(folder), 'w')
      const { source, rules } = requireOpened()
      if (counted) batches = batchRows(source, rules, counted, { version, afterRow, atOnce })
      return { answer: 'ready' }
    }
    case 'next': {
      const next = await batches?.next()
      if (!next) throw new Error('nothing was written')
      return next.done ? { answer: 'end', counters: next.value } : writeBatch(next.value)
    }
    case 'contains-keys':
      if (!counted) throw new Error('the file was not counted')
      return { answer: 'keys', contained: counted.containsKeys(request.keys) }
    case 'compare':
      if (!counted) throw new Error('the file was not counted')
      return { answer: 'compared', comparison: counted.compareKeys(request.offers) }
  }
}

function writeBatch({ offers, skipped, ...head }: RowBatch): ReaderResponse {
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
