/** Where the servers of the bus are, as the client of NATS wants it. */
export interface ServerAddress {
  servers: string[]
  user?: string
  pass?: string
}

/**
 * Reads `NATS_URL`: one or several URLs separated by commas. The client ignores the user and the password in a URL, and
 * prints the whole URL in errors, so both are taken out; those of the first URL that has them apply to all servers.
 */
export function parseServerAddress(url: string): ServerAddress {
  const servers: string[] = []
  let login: { user: string; pass: string } | undefined
  for (const each of url.split(',')) {
    const [, scheme = '', userInfo, rest = ''] = each.trim().match(/^([a-z+]+:\/\/)?(?:(.*)@)?(.*)$/s) ?? []
    servers.push(scheme + rest.replace(/\/$/, ''))
    if (userInfo === undefined || login !== undefined) continue
    const colon = userInfo.indexOf(':')
    const [user, pass] = colon < 0 ? [userInfo, ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)]
    login = { user: decodeURIComponent(user), pass: decodeURIComponent(pass) }
  }
  return { servers, ...login }
}
