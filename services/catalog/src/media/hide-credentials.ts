/** A URL as it may be answered and published: what stands before `@` in its authority is hidden. */
export function hideCredentials(url: string): string {
  return url.replace(/^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i, '$1***@')
}
