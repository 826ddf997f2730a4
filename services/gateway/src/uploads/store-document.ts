import type { Readable } from 'node:stream'
import { BlockQueue } from './block-queue.js'
import type { UploadWriter } from '@partsbus/upload-store/upload-writer'

/** What became of the bytes of a document. */
export type StoredDocument =
  { kind: 'stored'; object: string; size: number } | { kind: 'too-large' } | { kind: 'failed'; cause: unknown }

export interface Storing {
  /** never rejects */
  done: Promise<StoredDocument>
  /** stops and removes what was kept; the rest of the stream is thrown away */
  abort(reason: Error): void
}

/**
 * Streams a document to where `pricing-import` takes it from, as fast as that store accepts it. The stream always flows to
 * its end, also where nothing is stored any more: the form's other parts come behind it.
 * @param limit bytes
 */
export function storeDocument(file: Readable, uploads: Pick<UploadWriter, 'put'>, limit: number): Storing {
  let size = 0
  let tooLarge = false
  let isTaken = true
  const blocks = new BlockQueue(() => file.resume())
  const abort = (reason: unknown): void => {
    isTaken = false
    blocks.fail(reason)
    file.resume()
  }
  file.on('data', (chunk: Buffer) => {
    if (!isTaken) return
    size += chunk.length
    if (size > limit) {
      tooLarge = true
      abort(new Error(`larger than ${limit} bytes`))
    } else if (!blocks.push(chunk)) file.pause()
  })
  file.on('end', () => blocks.end())
  file.on('error', abort)
  const done = uploads.put(blocks).then(
    (object): StoredDocument => ({ kind: 'stored', object, size }),
    (cause: unknown): StoredDocument => {
      abort(cause)
      return tooLarge ? { kind: 'too-large' } : { kind: 'failed', cause }
    },
  )
  return { done, abort }
}
