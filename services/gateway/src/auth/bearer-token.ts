const GRAMMAR = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i

/**
 * The token of `Authorization: Bearer <token>`, or undefined when the header is missing, malformed or repeated.
 * @param rawHeaders alternating names and values; Node's parsed headers hide a repeated one
 */
export function bearerToken(rawHeaders: readonly string[]): string | undefined {
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'authorization') continue
    if (value !== undefined) return undefined
    value = rawHeaders[at + 1]
  }
  return value === undefined ? undefined : GRAMMAR.exec(value)?.[1]
}

/** True when a bearer token was sent, well-formed or not. Other schemes may be those of a proxy in front. */
export function isBearer(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some(
    (name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization' && /^bearer\b/i.test(rawHeaders[at + 1] ?? ''),
  )
}
