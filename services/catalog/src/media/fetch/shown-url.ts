/** Hides the user name and password of a URL, for responses and events. */
export function hideCredentials(url: string): string {
  return url.replace(/^(\s*[a-z][a-z0-9+.-]*:[\\/]*)[^\\/?#]*@/i, '$1***@')
}

/** A URL for the log, without credentials and query. */
export function loggableUrl(text: string): string {
  if (!URL.canParse(text)) return hideCredentials(text).slice(0, 200).replace(/\?.*$/s, '?…')
  const url = new URL(text)
  const query = url.search === '' ? '' : '?…'
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 500) + query
}
