import type { Readable } from 'node:stream'
import { traceStep } from '@partsbus/platform/process/spans'
import { BlockQueue } from './block-queue.js'
import type { UploadWriter } from './upload-writer.js'

/** Outcome of storing a document. */
export type StoredDocument =
  | { kind: 'stored'; object: string; size: number }
  | { kind: 'too-large' }
  | { kind: 'failed'; cause: unknown }

export interface Storing {
  /** never rejects */
  done: Promise<StoredDocument>
  /** stops, deletes the stored bytes, and discards the rest of the stream */
  abort(reason: Error): void
}

/**
 * Streams a document to the upload store, with backpressure. The stream is always read to its end, also when storing
 * has stopped, because the other parts of the form follow.
 * @param limit bytes
 */
export function storeDocument(file: Readable, uploads: Pick<UploadWriter, 'put'>, limit: number): Storing {
  let size = 0
  let tooLarge = false
  let isStoring = true
  const blocks = new BlockQueue(() => file.resume())
  const abort = (reason: unknown): void => {
    isStoring = false
    blocks.fail(reason)
    file.resume()
  }
  file.on('data', (chunk: Buffer) => {
    if (!isStoring) return
    size += chunk.length
    if (size > limit) {
      tooLarge = true
      abort(new Error(`larger than ${limit} bytes`))
    } else if (!blocks.push(chunk)) file.pause()
  })
  file.on('end', () => blocks.end())
  file.on('error', abort)
  const done = traceStep('upload.receive', () => uploads.put(blocks)).then(
    (object): StoredDocument => ({ kind: 'stored', object, size }),
    (cause: unknown): StoredDocument => {
      abort(cause)
      return tooLarge ? { kind: 'too-large' } : { kind: 'failed', cause }
    },
  )
  return { done, abort }
}
