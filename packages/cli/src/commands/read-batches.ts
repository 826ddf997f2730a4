import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CommandFailed, UsageError } from '../exit-codes.js'

/** An item of a batch with its place in the file. */
export interface NumberedItem {
  /** 1-based line */
  line: number
  item: unknown
}

/** Bytes of a batch as JSON, below the 8 MiB of the API. */
const MAX_BATCH_BYTES = 7 * 1024 * 1024

/**
 * The items of an NDJSON file in batches of at most `size`. Blank lines are ignored.
 * @throws UsageError when the file cannot be read
 * @throws CommandFailed for a line that is not JSON
 */
export async function* readBatches(path: string, size: number): AsyncGenerator<NumberedItem[]> {
  const input = createReadStream(path, 'utf8')
  let batch: NumberedItem[] = []
  let bytes = 0
  let line = 0
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      line += 1
      const json = line === 1 ? text.replace(/^\uFEFF/, '') : text
      if (json.trim() === '') continue
      const added = Buffer.byteLength(json) + 1
      if (batch.length >= size || (batch.length > 0 && bytes + added > MAX_BATCH_BYTES)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push({ line, item: parseLine(json, path, line) })
      bytes += added
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(`${path} cannot be read (${code}).`)
  } finally {
    input.destroy()
  }
  if (batch.length > 0) yield batch
}

function parseLine(json: string, path: string, line: number): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new CommandFailed(`${path}:${line} is not JSON: ${(error as Error).message}`)
  }
}
