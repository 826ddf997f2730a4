import { attribute, decodeXmlText, tagsNamed } from './xml-text.js'

/** Number formats that change the text of a number. Other formats do not change it. */
export type CellFormat =
  | { kind: 'plain' }
  /** `00000000`, possibly with letters around it: the zeros exist only in the format */
  | { kind: 'mask'; mask: string }
  | { kind: 'date'; hasDate: boolean; hasTime: boolean }
  | { kind: 'duration' }

/** Excel allows 255. */
const MAX_CODE_CHARS = 1_000

/** Digits beyond the fifteen that a number of Excel has: another program wrote them, as an article or a bar code. */
const LONG_DIGITS = /^[1-9]\d{15,}$/

const plain: CellFormat = { kind: 'plain' }

const builtIn = new Map<number, CellFormat>()
for (const id of [14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58])
  builtIn.set(id, { kind: 'date', hasDate: true, hasTime: false })
for (const id of [18, 19, 20, 21, 32, 33, 55, 56]) builtIn.set(id, { kind: 'date', hasDate: false, hasTime: true })
builtIn.set(22, { kind: 'date', hasDate: true, hasTime: true })
for (const id of [45, 47]) builtIn.set(id, { kind: 'date', hasDate: false, hasTime: true })
builtIn.set(46, { kind: 'duration' })

/** The formats of `xl/styles.xml`, by the index in the attribute `s` of cells. */
export function readCellFormats(xml: string): CellFormat[] {
  const codes = new Map<number, string>()
  for (const tag of tagsNamed(xml, 'numFmt')) {
    const code = attribute(tag, 'formatCode')
    if (code !== undefined) codes.set(Number(attribute(tag, 'numFmtId')), decodeXmlText(code))
  }
  return tagsNamed(findCellFormats(xml), 'xf').map((tag) => {
    const id = Number(attribute(tag, 'numFmtId') ?? 0)
    const code = codes.get(id)
    return code === undefined ? (builtIn.get(id) ?? plain) : cellFormat(code)
  })
}

/** The element `cellXfs`; other elements contain `xf` too. */
function findCellFormats(xml: string): string {
  const start = xml.search(/<(?:[\w.-]+:)?cellXfs[\s>]/)
  const end = start === -1 ? -1 : xml.slice(start).search(/<\/(?:[\w.-]+:)?cellXfs>/)
  return end === -1 ? '' : xml.slice(start, start + end)
}

/** Reads one format code, like `00000000`, `dd.mm.yyyy`, `[h]:mm:ss` or `#,##0.00`. */
export function cellFormat(code: string): CellFormat {
  if (code.length > MAX_CODE_CHARS) return plain
  const section = code.split(';')[0] ?? ''
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '')
  if (/\[(h+|m+|s+)\]/i.test(bare)) return { kind: 'duration' }
  const letters = bare
    .replace(/\[[^\]]*\]?/g, '')
    .replace(/AM\/PM|A\/P/gi, 'h')
    .replace(/s[.,]0+/gi, 's')
  if (/^general$/i.test(letters)) return plain
  if (/[ymdhs]/i.test(letters) && !/[0#?]{2}/.test(letters)) {
    return { kind: 'date', hasDate: /[yd]/i.test(letters) || /m{3}/i.test(letters), hasTime: /[hs]/i.test(letters) }
  }
  const shown = section
    .replace(/\[[^\]]*\]?/g, '')
    .replace(/"([^"]*)"/g, (_, text: string) => text.replace(/0/g, ''))
    .replace(/\\(.)/g, '$1')
  const zeros = shown.match(/0/g)?.length ?? 0
  return zeros >= 2 && /^[^#?.,%eE@*_]*$/.test(shown) ? { kind: 'mask', mask: shown } : plain
}

/** The text of a number cell: without an exponent, with the zeros and dates of its format. */
export function showNumber(raw: string, format: CellFormat | undefined, is1904: boolean): string {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (format === undefined || format.kind === 'plain') return LONG_DIGITS.test(raw) ? raw : plainNumber(value)
  if (format.kind === 'mask')
    return Number.isInteger(value) && value >= 0 ? fillMask(format.mask, String(value)) : plainNumber(value)
  if (value < 0 || value > 2_958_466) return plainNumber(value)
  return format.kind === 'duration' ? duration(value) : dateText(value, format, is1904)
}

/** Fifteen significant digits, as Excel shows them: 0.1 + 0.2 is 0.3. */
function plainNumber(value: number): string {
  const shown = Number(value.toPrecision(15))
  const text = String(shown)
  if (!text.includes('e')) return text
  return Math.abs(shown) >= 1 ? BigInt(shown).toString() : shown.toFixed(20).replace(/\.?0{1,20}$/, '')
}

/** Fills the zeros of a mask from the right; excess digits go in front. */
function fillMask(mask: string, digits: string): string {
  let left = digits
  let shown = ''
  for (const char of [...mask].reverse()) {
    if (char !== '0') {
      shown = char + shown
      continue
    }
    shown = (left.at(-1) ?? '0') + shown
    left = left.slice(0, -1)
  }
  return left === '' ? shown : shown.replace(/\d/, (first) => left + first)
}

function dateText(serial: number, format: { hasDate: boolean; hasTime: boolean }, is1904: boolean): string {
  // the 1900 date system counts 29 February 1900, which did not exist
  const days = is1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial
  const iso = new Date(Math.round((days - 25_569) * 86_400_000)).toISOString()
  if (!format.hasDate) return iso.slice(11, 19)
  return format.hasTime || serial % 1 !== 0 ? iso.slice(0, 19) : iso.slice(0, 10)
}

function duration(days: number): string {
  const seconds = Math.round(days * 86_400)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
