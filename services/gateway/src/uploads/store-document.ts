import type { Readable } from 'node:stream'
import type { UploadBucket } from './upload-bucket.js'

/** What became of the bytes of a document. */
export type StoredDocument =
  | { kind: 'stored'; object: string; size: number }
  | { kind: 'too-large' }
  | { kind: 'failed'; cause: unknown }

export interface Storing {
  /** never rejects */
  done: Promise<StoredDocument>
  /** stops and removes what was kept; the rest of the stream is thrown away */
  abort(reason: Error): void
}

/** Bytes read ahead while the bus keeps the ones before them. */
const AHEAD_BYTES = 512 * 1024

/**
 * Streams a document into the bucket as fast as the bus keeps it. The stream always flows to its end, also where
 * nothing is stored any more: the form's other parts come behind it.
 * @param limit bytes
 */
export function storeDocument(file: Readable, bucket: Pick<UploadBucket, 'put'>, limit: number): Storing {
  let size = 0
  let tooLarge = false
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) { sink = controller },
    pull() { file.resume() },
  }, new ByteLengthQueuingStrategy({ highWaterMark: AHEAD_BYTES }))
  const abort = (reason: unknown): void => {
    sink?.error(reason)
    sink = undefined
    file.resume()
  }
  file.on('data', (chunk: Buffer) => {
    if (!sink) return
    size += chunk.length
    if (size > limit) {
      tooLarge = true
      abort(new Error(`larger than ${limit} bytes`))
      return
    }
    sink.enqueue(chunk)
    if ((sink.desiredSize ?? 1) <= 0) file.pause()
  })
  file.on('end', () => {
    sink?.close()
    sink = undefined
  })
  file.on('error', abort)
  const done = bucket.put(bytes).then(
    (object): StoredDocument => ({ kind: 'stored', object, size }),
    (cause: unknown): StoredDocument => {
      abort(cause)
      return tooLarge ? { kind: 'too-large' } : { kind: 'failed', cause }
    },
  )
  return { done, abort }
}
