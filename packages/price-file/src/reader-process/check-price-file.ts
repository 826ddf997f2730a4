import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFirstBytes } from '../open-price-file.js'
import { PriceFileError, ReaderUnavailable } from '../price-file-error.js'
import type { CheckRequest, CheckResponse } from './check-protocol.js'
import type { ReaderPool } from './reader-pool.js'

/** The script of a process that only checks files; always the built file, also when this module runs from source. */
export const CHECK_CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reader-process', 'check-child.js')

const CHECK_MS = 10_000
const VERIFY_MS = 2_000

interface CheckedFile {
  path: string
  /** as the partner named it; only its extension counts */
  name: string
  /** bytes that an archive may unpack to */
  maxUnpacked: number
}

/**
 * Checks a file, in a child process if it must be unpacked (rules.md#valid-files). A file whose check takes too long
 * passes; its import reports the error (rules.md#late-findings).
 * @param verifyMs time to unpack an archive
 * @throws PriceFileError; ReaderUnavailable or the error of a file system call when the file is not the cause
 */
export async function checkPriceFile<Response extends { answer: string }>(
  readers: ReaderPool<CheckRequest, CheckResponse | Response>,
  { path, name: fileName, maxUnpacked }: CheckedFile,
  verifyMs = VERIFY_MS,
): Promise<void> {
  if (await checkFirstBytes(path, fileName)) return
  const reader = await readers.open(fileName, (await stat(path)).size)
  try {
    await reader.take(path)
    const file = { fileName, maxUnpacked }
    const checked = await reader.request({ request: 'check', ...file }, CHECK_MS)
    await reader.request({ request: 'verify', ...file }, verifyMs)
    if (!('unpackedBytes' in checked)) throw new ReaderUnavailable('The reader sent an unexpected response.')
    reader.finish(checked.unpackedBytes)
  } catch (error) {
    if (!(error instanceof PriceFileError && error.problem === 'TOO_SLOW')) throw error
  } finally {
    await reader.close()
  }
}
