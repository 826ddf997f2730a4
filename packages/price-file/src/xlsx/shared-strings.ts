import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import { wholeElements } from './scan-elements.js'
import { endsName, GREATER, LESS, SLASH, startsAt } from './xml-bytes.js'
import { decodeXmlText } from './xml-text.js'

export interface StringLimits {
  maxStrings: number
  /** bytes of all strings including their XML */
  maxStringBytes: number
}

/** Ways to decode the bytes of a string. */
const PLAIN = 0
const ESCAPED = 1
/** runs, phonetic text, or attributes */
const XML = 2

const ITEM = Buffer.from('<si')
const ITEM_END = Buffer.from('</si>')
const PLAIN_START = Buffer.from('<si><t>')
const KEPT_START = Buffer.from('<si><t xml:space="preserve">')
const PLAIN_END = Buffer.from('</t></si>')

/*
 * The shared strings of a workbook, stored as bytes and decoded when a cell refers to them. Most are used once; a
 * string that is used again is cached as text.
 */
export class SharedStrings {
  private readonly pieces: Buffer[] = []
  /** chunk, start, end and kind of each string */
  private offsets = new Uint32Array(4 * 1_024)
  private texts = new Map<number, string>()
  private seen = new Uint8Array(0)
  length = 0

  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) return undefined
    if (this.seen.length < this.length) this.seen = new Uint8Array(this.length)
    if (this.seen[index] === 0) {
      this.seen[index] = 1
      return this.decode(index)
    }
    let text = this.texts.get(index)
    if (text === undefined) {
      text = this.decode(index)
      this.texts.set(index, text)
    }
    return text
  }

  private decode(index: number): string {
    const at = index * 4
    const text = this.pieces[this.offsets[at] ?? 0]?.toString('utf8', this.offsets[at + 1], this.offsets[at + 2]) ?? ''
    const kind = this.offsets[at + 3]
    return kind === PLAIN ? text : kind === ESCAPED ? decodeXmlText(text) : stringText(text)
  }

  /** Adds the strings of a chunk of the part and keeps the chunk. */
  addPiece(xml: Buffer): void {
    this.pieces.push(xml)
    for (let at = xml.indexOf(ITEM); at !== -1;) {
      const start = startsAt(xml, at, PLAIN_START)
        ? at + PLAIN_START.length
        : startsAt(xml, at, KEPT_START)
          ? at + KEPT_START.length
          : 0
      let end = start
      let kind = PLAIN
      for (let byte = xml[end]; start > 0 && byte !== LESS && byte !== undefined; byte = xml[++end]) {
        // entities, line ends, and the underscore of Excel's own escapes
        if (byte === 0x26 || byte === 0x0d || byte === 0x5f) kind = ESCAPED
      }
      if (start > 0 && startsAt(xml, end, PLAIN_END)) {
        this.add(start, end, kind)
        end += PLAIN_END.length
      } else {
        end = this.addOther(xml, at)
        if (end === -1) return
      }
      at = startsAt(xml, end, ITEM) ? end : xml.indexOf(ITEM, end)
    }
  }

  /** @returns index after the element, -1 when it does not end */
  private addOther(xml: Buffer, at: number): number {
    const tagEnd = xml.indexOf(GREATER, at)
    if (tagEnd === -1) return -1
    // a longer name with the same beginning
    if (!endsName(xml[at + ITEM.length])) return tagEnd
    if (xml[tagEnd - 1] === SLASH) {
      this.add(tagEnd, tagEnd, PLAIN)
      return tagEnd
    }
    const close = xml.indexOf(ITEM_END, tagEnd)
    if (close !== -1) this.add(tagEnd + 1, close, XML)
    return close
  }

  private add(start: number, end: number, kind: number): void {
    const at = this.length * 4
    if (at === this.offsets.length) {
      const larger = new Uint32Array(at * 2)
      larger.set(this.offsets)
      this.offsets = larger
    }
    this.offsets[at] = this.pieces.length - 1
    this.offsets[at + 1] = start
    this.offsets[at + 2] = end
    this.offsets[at + 3] = kind
    this.length += 1
  }
}

/** Reads `xl/sharedStrings.xml` without phonetic runs. @throws PriceFileError TOO_LARGE */
export async function readSharedStrings(part: Readable, limits: StringLimits): Promise<SharedStrings> {
  const strings = new SharedStrings()
  let bytes = 0
  for await (const piece of wholeElements(part, 'sst', 'si')) {
    strings.addPiece(piece)
    bytes += piece.length
    if (strings.length > limits.maxStrings)
      throw new PriceFileError('TOO_LARGE', `The workbook has more than ${limits.maxStrings} different texts.`)
    if (bytes > limits.maxStringBytes)
      throw new PriceFileError('TOO_LARGE', `The texts of the workbook take more than ${limits.maxStringBytes} bytes.`)
  }
  return strings
}

/** Text of a string item or an inline string: its runs in order, without phonetic ones. Each character is read once. */
export function stringText(xml: string): string {
  let text = ''
  for (let at = xml.indexOf('<'); at !== -1;) {
    const isPhonetic = xml.startsWith('<rPh', at) && endsName(xml.charCodeAt(at + 4))
    const isText = xml.startsWith('<t', at) && endsName(xml.charCodeAt(at + 2))
    const tagEnd = isPhonetic || isText ? xml.indexOf('>', at) : at
    if (tagEnd === -1) break
    let end = tagEnd + 1
    if (tagEnd > at && xml[tagEnd - 1] !== '/') {
      const close = isText ? '</t>' : '</rPh>'
      const found = xml.indexOf(close, tagEnd)
      if (found === -1) break
      if (isText) text += xml.slice(tagEnd + 1, found)
      end = found + close.length
    }
    at = xml.indexOf('<', end)
  }
  return decodeXmlText(text)
}
