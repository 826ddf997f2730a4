import { join } from 'node:path'
import { checkFirstBytes, type PriceFileOptions, type PriceFileRows } from '../open-price-file.js'
import { type PackedRows, unpacked } from '../packed-rows.js'
import { PriceFileError } from '../price-file-error.js'
import { ReaderProcess, type ReaderLimits, defaultReaderLimits } from './reader-process.js'
import type { Answer, Order } from './check-protocol.js'

/** Rows that a child process reads. `close` ends it, whatever it is doing. */
export interface CagedRows extends PriceFileRows {
  close(): Promise<void>
}

// of the build, also where this file is run from its source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reader-process', 'check-child.js')

/** Blocks asked for before the first of them is worked on: neither process waits for the way between them. */
const BLOCKS_AHEAD = 4

/** Checks a file, in a child process where there is something to be unpacked. @throws PriceFileError */
export async function checkPriceFile(
  path: string,
  fileName: string,
  maxUnpacked: number,
  limits: ReaderLimits = defaultReaderLimits,
): Promise<void> {
  if (await checkFirstBytes(path, fileName)) return
  const cage = await ReaderProcess.open<Order, Answer>(CHILD, limits)
  try {
    await cage.ask({ order: 'check', path, fileName, folder: cage.folder, maxUnpacked })
  } finally {
    await cage.close()
  }
}

/**
 * Opens a file in a child process. The next blocks are read while one is worked on.
 * @throws PriceFileError as `openPriceFile`; CAGE when the child took too much time or memory, or died
 */
export async function openCaged(
  path: string,
  fileName: string,
  options: PriceFileOptions = {},
  limits: ReaderLimits = defaultReaderLimits,
): Promise<CagedRows> {
  const cage = await ReaderProcess.open<Order, Answer>(CHILD, limits)
  try {
    const opened = await cage.ask({ order: 'open', path, fileName, folder: cage.folder, options })
    if (opened.answer !== 'opened') throw new PriceFileError('CAGE', 'The reader gave no answer.')
    const { encoding, delimiter, sheet } = opened
    const packed = packedBlocks(cage)
    return { encoding, delimiter, sheet, packed, blocks: unpacked(packed), close: () => cage.close() }
  } catch (error) {
    await cage.close()
    throw error
  }
}

async function* packedBlocks(cage: ReaderProcess<Order, Answer>): AsyncGenerator<PackedRows> {
  const ask = (): Promise<Answer> => {
    const asked = cage.ask({ order: 'next' })
    // its failure is met when it is awaited, not before
    asked.catch(() => undefined)
    return asked
  }
  try {
    const ahead = Array.from({ length: BLOCKS_AHEAD }, ask)
    for (;;) {
      const got = await ahead.shift()
      cage.requireOpen()
      if (got?.answer !== 'block') return
      ahead.push(ask())
      yield got.block
    }
  } finally {
    await cage.close()
  }
}
