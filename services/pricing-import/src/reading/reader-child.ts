import { closeSync, openSync, writeSync } from 'node:fs'
import { answerCheck, type CheckRequest, type CheckResponse } from '@partsbus/price-file/reader-process/check-protocol'
import { inputPath } from '@partsbus/price-file/reader-process/child-protocol'
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
 * passes them on. For each file, until the service resets it:
 * check → checked, verify → verified;
 * or open → opened, then preview → previewed, (compare → compared)*;
 * or count → counted, write → ready, (next → batch)*, next → end, (contains-keys → keys)*.
 */

let opened: { source: RowSource; rules: ReadingRules } | undefined
let counted: CountedRows | undefined
let batches: AsyncGenerator<RowBatch, RowCounters> | undefined
let file = -1

serveParent(async (request: ReaderRequest | CheckRequest, folder): Promise<ReaderResponse | CheckResponse> => {
  try {
    return await respond(request, folder)
  } catch (error) {
    if (error instanceof ColumnsNotFound)
      return { answer: 'columns-not-found', message: error.message, columns: error.columns }
    throw error
  }
}, reset)

function reset(): void {
  opened = undefined
  counted = undefined
  batches = undefined
  if (file !== -1) closeSync(file)
  file = -1
}

async function respond(request: ReaderRequest | CheckRequest, folder: string): Promise<ReaderResponse | CheckResponse> {
  switch (request.request) {
    case 'check':
    case 'verify':
      return answerCheck(request, folder)
    case 'open': {
      const { rules } = request
      const source = await RowSource.open({ ...request.file, path: inputPath(folder) }, folder, rules.format)
      opened = { source, rules }
      return { answer: 'opened', kind: source.kind, unpackedBytes: source.unpackedBytes }
    }
    case 'preview': {
      const { source, rules } = requireOpened()
      const read = await previewRows(source, rules, folder)
      counted = read.counted
      return { answer: 'previewed', preview: read.preview }
    }
    case 'count': {
      const { source, rules } = requireOpened()
      counted = await countRows(source, rules, folder, request.keepKeys ? 'keys' : 'nothing')
      return { answer: 'counted', count: rowCount(counted) }
    }
    case 'write': {
      const { version, afterRow, atOnce } = request
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
