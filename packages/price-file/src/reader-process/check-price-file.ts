import { join } from 'node:path'
import { checkFirstBytes } from '../open-price-file.js'
import { PriceFileError } from '../price-file-error.js'
import type { CheckRequest, CheckResponse } from './check-protocol.js'
import { ReaderProcess } from './reader-process.js'

// always the built file, also when this module runs from source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reader-process', 'check-child.js')

const CHECK_MS = 10_000
const VERIFY_MS = 2_000

export interface CheckLimits {
  /** time to unpack an archive */
  verifyMs?: number
  memoryMb?: number
}

/**
 * Checks a file, in a child process if it must be unpacked (rules.md#valid-files). A file whose check takes too long
 * passes; its import reports the error (rules.md#late-findings).
 * @throws PriceFileError; ReaderUnavailable or the error of a file system call when the file is not the cause
 */
export async function checkPriceFile(
  path: string,
  fileName: string,
  maxUnpacked: number,
  { verifyMs = VERIFY_MS, memoryMb }: CheckLimits = {},
): Promise<void> {
  if (await checkFirstBytes(path, fileName)) return
  const reader = await ReaderProcess.open<CheckRequest, CheckResponse>(CHILD, memoryMb)
  try {
    const file = { path, fileName, folder: reader.folder, maxUnpacked }
    await reader.request({ request: 'check', ...file }, CHECK_MS)
    await reader.request({ request: 'verify', ...file }, verifyMs)
  } catch (error) {
    if (!(error instanceof PriceFileError && error.problem === 'TOO_SLOW')) throw error
  } finally {
    await reader.close()
  }
}
