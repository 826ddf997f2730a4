import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import { wholeElements } from './scan-elements.js'
import { decodeXmlText, prefixOf } from './xml-text.js'

export interface StringLimits {
  maxStrings: number
  /** characters of all strings together */
  maxStringChars: number
}

/** Reads `xl/sharedStrings.xml`. Phonetic runs are left out. @throws PriceFileError TOO_LARGE */
export async function readSharedStrings(part: Readable, limits: StringLimits): Promise<string[]> {
  const strings: string[] = []
  let chars = 0
  let prefix = ''
  const pieces = wholeElements(part, (head) => {
    prefix = prefixOf(head, 'sst')
    return `</${prefix}si>`
  })
  for await (const piece of pieces) {
    for (const item of items(piece, `${prefix}si`)) {
      const text = item === '' ? '' : stringText(item, prefix)
      chars += text.length
      strings.push(text)
    }
    if (strings.length > limits.maxStrings) throw new PriceFileError('TOO_LARGE', `The workbook has more than ${limits.maxStrings} different texts.`)
    if (chars > limits.maxStringChars) throw new PriceFileError('TOO_LARGE', `The texts of the workbook are longer than ${limits.maxStringChars} characters.`)
  }
  return strings
}

/** The inside of each element of a name, the empty and self-closing ones included. */
function* items(xml: string, name: string): Generator<string> {
  for (let open = xml.indexOf(`<${name}`); open !== -1; open = xml.indexOf(`<${name}`, open)) {
    const tagEnd = xml.indexOf('>', open)
    if (tagEnd === -1) return
    const next = xml.charCodeAt(open + name.length + 1)
    // a longer name that begins alike
    const isOther = next !== 0x3e && next !== 0x2f && next !== 0x20 && next !== 0x0a && next !== 0x0d && next !== 0x09
    if (isOther || xml[tagEnd - 1] === '/') {
      if (!isOther) yield ''
      open = tagEnd
      continue
    }
    const close = xml.indexOf(`</${name}>`, tagEnd)
    if (close === -1) return
    yield xml.slice(tagEnd + 1, close)
    open = close
  }
}

/** Text of a string item or an inline string: its runs in order, without phonetic ones. */
export function stringText(xml: string, prefix: string): string {
  const spoken = xml.includes(`<${prefix}rPh`) ? xml.replace(new RegExp(`<${prefix}rPh[\\s>][^]*?</${prefix}rPh>`, 'g'), '') : xml
  let text = ''
  for (const run of items(spoken, `${prefix}t`)) text += run
  return decodeXmlText(text)
}
