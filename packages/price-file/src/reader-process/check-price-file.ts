import { join } from 'node:path'
import { checkFirstBytes } from '../open-price-file.js'
import { PriceFileError } from '../price-file-error.js'
import type { CheckRequest, CheckResponse } from './check-protocol.js'
import { ReaderProcess } from './reader-process.js'

// from the build, also when this file is run from its source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reader-process', 'check-child.js')

const CHECK_MS = 10_000
const VERIFY_MS = 2_000

export interface CheckLimits {
  /** time to unpack an archive */
  verifyMs?: number
  memoryMb?: number
}

/**
 * Checks a file, in a process of its own where something has to be unpacked. A file whose check takes too long passes:
 * its import finds what is wrong with it (rules.md#valid-files).
 * @throws PriceFileError; ReaderUnavailable, or the error of a file system call, which are not the file's fault
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
