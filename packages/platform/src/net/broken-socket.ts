/** What is thrown when the other side was killed between two commands; drivers pass the socket's own error on. */
const codes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

export function isBrokenSocket(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code))
}
