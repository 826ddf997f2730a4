interface Invitation {
  token: string
  /** By which the person signs in later. */
  name: string
}

/** What it holds stands in the fragment, which no server and no log sees. @param base of the pages, like `/admin/` */
export const invitationLink = (origin: string, base: string, { token, name }: Invitation): string =>
  `${origin}${base}join#${token}&${encodeURIComponent(name)}`

/** @param hash without `#`. Links of earlier versions have no name. */
export function readInvitation(hash: string): { token: string; name?: string } {
  const [token = '', name = ''] = hash.split('&')
  try {
    return name === '' ? { token } : { token, name: decodeURIComponent(name) }
  } catch {
    return { token }
  }
}
