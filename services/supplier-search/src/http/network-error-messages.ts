import { AppError } from '@partsbus/contracts/app-error'
import { supplierFault } from '../dialects/read-rows.js'

const messages: Record<string, (host: string) => string> = {
  ENOTFOUND: (host) => `The host name ${host} cannot be resolved.`,
  EAI_AGAIN: (host) => `The host name ${host} cannot be resolved now.`,
  ECONNREFUSED: (host) => `The connection to ${host} was refused; nothing listens there.`,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no route to ${host}.`,
  ETIMEDOUT: (host) => `No connection to ${host} in time.`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `No connection to ${host} in time.`,
  ECONNRESET: (host) => `The connection to ${host} was reset.`,
  EPIPE: (host) => `The connection to ${host} was reset.`,
  UND_ERR_SOCKET: (host) => `The connection to ${host} was closed before the answer was complete.`,
  UND_ERR_HEADERS_OVERFLOW: (host) => `The answer of ${host} has too large headers.`,
  // undici asserts what it has not asked for, such as 101
  ERR_ASSERTION: (host) => `The answer of ${host} is not one that HTTP allows here.`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: (host) => `The answer of ${host} is shorter or longer than it says.`,
}

/**
 * Explains a network error to the administrator. Its own text is left out: it may contain the URL with its parameters.
 */
export function toSupplierFault(error: unknown, url: URL): AppError {
  const known = appErrorIn(error)
  if (known) return known
  const code = codeIn(error) ?? ''
  const named = Object.hasOwn(messages, code) ? messages[code] : undefined
  if (named) return supplierFault(named(url.host), error)
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return supplierFault(`The TLS certificate or handshake of ${url.host} is not acceptable (${code}).`, error)
  if (code.startsWith('HPE_')) return supplierFault(`${url.host} does not answer in HTTP (${code}).`, error)
  return supplierFault(`The request to ${url.host} failed${code === '' ? '' : ` (${code})`}.`, error)
}

/** The address guard's error may be the `cause`. */
function appErrorIn(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { cause } = toFields(error)
  return cause instanceof AppError ? cause : undefined
}

/** Connecting to several addresses fails with a list of errors, with or without a code of its own. */
function codeIn(error: unknown): string | undefined {
  const { code, errors, cause } = toFields(error)
  if (typeof code === 'string' && code !== '') return code
  const inner = Array.isArray(errors) ? (errors[0] as unknown) : cause
  return inner === undefined ? undefined : codeIn(inner)
}

function toFields(error: unknown): { code?: unknown; errors?: unknown; cause?: unknown } {
  return typeof error === 'object' && error !== null ? error : {}
}
