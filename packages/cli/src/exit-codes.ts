/** Exit codes of `partsbus` (docs/operate/cli.md#exit-codes). */
export const exitCodes = {
  ok: 0,
  /** an unknown command or option, or a missing value */
  usage: 1,
  /** the request was refused, the import failed, rows were rejected, a check found something */
  failed: 2,
  /** no response, or 503 or 504 after all retries */
  unreachable: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command line that cannot be run as it is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command could not do what it was asked to; the message says why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Why the gateway did not answer; undefined for another error. */
export function explainUnreachable(error: unknown): string | undefined {
  // fetch throws a TypeError without a response; its cause names the address
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return undefined
  const reason =
    error.cause instanceof Error ? error.cause.message || (error.cause as { code?: string }).code : undefined
  return `The gateway did not answer: ${reason ?? error.message}.`
}
