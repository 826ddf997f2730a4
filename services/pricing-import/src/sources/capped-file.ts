import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SourceFailure } from './source-failure.js'

export function tooLarge(maxBytes: number): SourceFailure {
  return new SourceFailure(`The file is larger than ${maxBytes} bytes.`, 'TOO_LARGE')
}

/** A pass-through stream that fails above a limit. */
export function cap(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
  })
}

export function writeCapped(body: Readable, path: string, maxBytes: number): Promise<void> {
  return pipeline(body, cap(maxBytes), createWriteStream(path))
}
