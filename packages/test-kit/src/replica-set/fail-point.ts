import type { Document } from 'mongodb'

/** The data of the fail point `failCommand` of mongod, with `enableTestCommands=1`. */
export interface FailCommand {
  failCommands: string[]
  errorCode?: number
  closeConnection?: boolean
  writeConcernError?: { code: number; errmsg: string }
}

/** Errors that a server marks, so that drivers repeat a write. */
const retryable = new Set([6, 7, 89, 91, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436])

/** The fail point `failCommand` of one member. */
export class FailPoint {
  private data: FailCommand | undefined
  private left = 0

  configure(mode: 'off' | { times: number }, data?: FailCommand): void {
    this.data = mode === 'off' ? undefined : data
    this.left = mode === 'off' ? 0 : mode.times
  }

  /** What happens to this command instead of, or after, being carried out. */
  take(name: string): FailCommand | undefined {
    if (this.left === 0 || !this.data?.failCommands.includes(name)) return undefined
    this.left -= 1
    return this.data
  }
}

export function errorReply(code: number, isRetryableWrite: boolean): Document {
  const errorLabels = isRetryableWrite && retryable.has(code) ? ['RetryableWriteError'] : []
  return { ok: 0, code, codeName: `Code${code}`, errmsg: `emulated error ${code}`, errorLabels }
}
