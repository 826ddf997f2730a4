const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text between tags as it is meant: entities, and Excel's own `_x000D_` for characters that XML has not. */
export function decodeXmlText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const plain = lines.includes('&') ? lines.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, decodeEntity) : lines
  return plain.includes('_x')
    ? plain.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}

function decodeEntity(
  whole: string,
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return named[name] ?? whole
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** CDATA becomes escaped text, comments go; done only where there are any. */
export function withoutSections(xml: string): string {
  const open = xml.includes('<!--') ? xml.replace(/<!--[^]*?-->/g, '') : xml
  if (!open.includes('<![CDATA[')) return open
  return open.replace(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
}

/** Value of an attribute of a tag's text, in either kind of quotes. */
export function attribute(tag: string, name: string): string | undefined {
  for (const quote of ['"', "'"]) {
    let at = tag.indexOf(`${name}=${quote}`)
    while (at > 0 && !/\s/.test(tag[at - 1] ?? '')) at = tag.indexOf(`${name}=${quote}`, at + 1)
    if (at <= 0) continue
    const start = at + name.length + 2
    const end = tag.indexOf(quote, start)
    return end === -1 ? undefined : tag.slice(start, end)
  }
  return undefined
}

/** Prefix of the namespace that the root element uses: `x:` in `<x:worksheet`, mostly none. */
export function prefixOf(xml: string, root: string): string {
  return new RegExp(`<([\\w.-]+:)?${root}[\\s>]`).exec(xml)?.[1] ?? ''
}
