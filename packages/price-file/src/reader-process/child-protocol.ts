import { join } from 'node:path'
import type { PriceFileProblem } from '../price-file-error.js'

/* What each child of a `ReaderProcess` shares with it, whatever it reads. */

/** Response of a reader to a request that failed. */
export interface FailedResponse {
  answer: 'failed'
  problem: PriceFileProblem | 'UNAVAILABLE'
  message: string
  row?: number
}

/** Makes the child forget what it has read. */
export interface ResetRequest {
  request: 'reset'
}

/** The file that is read, which may be anywhere. @param folder of the process */
export function inputPath(folder: string): string {
  return join(folder, 'input')
}
