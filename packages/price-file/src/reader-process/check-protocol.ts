import { checkPriceFile, verifyArchive } from '../open-price-file.js'
import { inputPath } from './child-protocol.js'

/** Requests to the process that checks a file: `check` reads directories only, `verify` unpacks an archive. */
export interface CheckRequest {
  request: 'check' | 'verify'
  fileName: string
  maxUnpacked: number
}

export type CheckResponse =
  /** `unpackedBytes` as the directory of an archive or workbook announces them */
  { answer: 'checked'; unpackedBytes: number } | { answer: 'verified' }

/** Answers in the child process. @throws PriceFileError */
export async function answerCheck(
  { request, fileName, maxUnpacked }: CheckRequest,
  folder: string,
): Promise<CheckResponse> {
  const path = inputPath(folder)
  if (request === 'check')
    return { answer: 'checked', unpackedBytes: await checkPriceFile(path, fileName, folder, maxUnpacked) }
  await verifyArchive(path, fileName, folder, maxUnpacked)
  return { answer: 'verified' }
}
