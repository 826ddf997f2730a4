export type SourceFailureCode =
  | 'HOST_UNKNOWN'
  | 'ADDRESS_FORBIDDEN'
  | 'UNREACHABLE'
  | 'CERTIFICATE'
  | 'LOGIN_REFUSED'
  | 'HTTP_STATUS'
  | 'NO_FILE'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'NO_SPACE'
  | 'SECRET_UNREADABLE'
  | 'FAILED'

/** A source could not be fetched. The message is shown to the administrator, so it must not contain secrets. */
export class SourceFailure extends Error {
  constructor(
    message: string,
    readonly code: SourceFailureCode = 'FAILED',
  ) {
    super(message)
  }
}
