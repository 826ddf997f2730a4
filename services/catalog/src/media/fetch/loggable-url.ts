import { hideCredentials } from '../hide-credentials.js'

/** A URL for the log, without credentials and query. */
export function loggableUrl(text: string): string {
  if (!URL.canParse(text)) return hideCredentials(text).slice(0, 200).replace(/\?.*$/s, '?…')
  const url = new URL(text)
  const query = url.search === '' ? '' : '?…'
  return `${url.protocol}//${url.host}${url.pathname}`.slice(0, 500) + query
}
