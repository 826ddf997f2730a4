/** Do two sources name the same file? Only then does what one fetched last say anything about the other. */
export function isSamePlace(one: object, other: object): boolean {
  return placeOf(one) === placeOf(other)
}

function placeOf(source: object): string {
  const { kind, url, host, port, path, pattern, folder, from, subject, file_name } = source as Record<string, unknown>
  return JSON.stringify([kind, url, host, port, path, pattern, folder, from, subject, file_name])
}
