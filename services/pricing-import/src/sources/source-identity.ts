type Fields = Record<string, unknown>

/** Do two sources name the same file? Only then does what was fetched from one say anything about the other. */
export function isSameFile(one: object, other: object): boolean {
  return fileOf(one as Fields) === fileOf(other as Fields)
}

/** Would the password of one be sent to the same server for the same user by the other? */
export function isSameLogin(one: object, other: object): boolean {
  return loginOf(one as Fields) === loginOf(other as Fields)
}

function fileOf({ kind, url, host, port, path, pattern, folder, from, subject, file_name }: Fields): string {
  return JSON.stringify([kind, url, host, port, path, pattern, folder, from, subject, file_name])
}

function loginOf({ kind, url, host, port, secure, username }: Fields): string {
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined
  const isSecure = kind === 'ftp' ? secure === true : undefined
  return JSON.stringify([kind, origin, host, port ?? null, isSecure, username ?? null])
}
