/** A URL that paths can be appended to. One pass: a pattern would try each of many slashes in the middle. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
