const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes entities, line ends, and Excel's `_x000D_` escapes of characters that XML does not allow. */
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

/** Start tags with this name and any namespace prefix. Tags that are not closed are ignored. */
export function tagsNamed(xml: string, name: string): string[] {
  // `<` is not allowed inside a tag; otherwise each unclosed tag would be searched to the end of the text
  return xml.match(new RegExp(`<(?:[\\w.-]+:)?${name}\\s[^<>]*>`, 'g')) ?? []
}

/** Replaces CDATA by escaped text and removes comments. */
export function withoutSections(xml: string): string {
  return replaceSections(
    replaceSections(xml, '<!--', '-->', () => ''),
    '<![CDATA[',
    ']]>',
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
}

/** One pass over the text; a section that is not closed is not changed. */
function replaceSections(xml: string, open: string, close: string, replace: (inside: string) => string): string {
  let start = xml.indexOf(open)
  if (start === -1) return xml
  const parts: string[] = []
  let position = 0
  while (start !== -1) {
    const end = xml.indexOf(close, start + open.length)
    if (end === -1) break
    parts.push(xml.slice(position, start), replace(xml.slice(start + open.length, end)))
    position = end + close.length
    start = xml.indexOf(open, position)
  }
  parts.push(xml.slice(position))
  return parts.join('')
}

/** Value of an attribute in the text of a tag, in single or double quotes. */
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

/** Namespace prefix of the root element: `x:` in `<x:worksheet`, usually empty. */
export function findPrefix(xml: string, root: string): string {
  return new RegExp(`<([\\w.-]+:)?${root}[\\s>]`).exec(xml)?.[1] ?? ''
}
