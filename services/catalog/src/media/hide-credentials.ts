/** Hides the user name and password of a URL, for responses and events. */
export function hideCredentials(url: string): string {
  return url.replace(/^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i, '$1***@')
}
