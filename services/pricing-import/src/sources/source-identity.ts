type Fields = Record<string, unknown>

/** Whether two sources refer to the same file. Only then is the state of one valid for the other. */
export function isSameFile(one: object, other: object): boolean {
  return fileKey(one as Fields) === fileKey(other as Fields)
}

/** Whether both sources would send a password to the same server for the same user. */
export function isSameLogin(one: object, other: object): boolean {
  return loginKey(one as Fields) === loginKey(other as Fields)
}

function fileKey({ kind, url, host, port, path, pattern, folder, from, subject, file_name }: Fields): string {
  return JSON.stringify([kind, url, host, port, path, pattern, folder, from, subject, file_name])
}

function loginKey({ kind, url, host, port, secure, username }: Fields): string {
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined
  const isSecure = kind === 'ftp' ? secure === true : undefined
  const defaultPort = kind === 'ftp' ? 21 : kind === 'email' ? 993 : null
  return JSON.stringify([kind, origin, String(host).toLowerCase(), port ?? defaultPort, isSecure, username ?? ''])
}
