import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import { findPrefix, withoutSections } from './xml-text.js'

/** Longest run of XML between two line ends of the table; a shared string or a row cannot be larger. */
const MAX_PENDING = 32 * 1024 * 1024
/** A chunk of this size and its rows stay in the processor's cache. */
const PIECE = 96 * 1024
const HEAD = 4_096
const EXCLAMATION = 0x21

/**
 * Splits an XML part into chunks that end after an element of the given name, so that none of them is split. Names are
 * without namespace prefix, text is without comments and CDATA. The last chunk is the text after the last element.
 * @param root name of the part's root element
 * @throws PriceFileError DAMAGED for a document type (entities are never expanded), ROW_TOO_LONG
 */
export async function* wholeElements(part: Readable, root: string, name: string): AsyncGenerator<Buffer> {
  let prefix: string | undefined
  let tag = Buffer.alloc(0)
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of part as AsyncIterable<Buffer>) {
    let rest = chunk
    if (prefix === undefined) {
      rest = Buffer.concat([pending, chunk])
      pending = rest
      if (rest.length < HEAD && !rest.includes('</')) continue
      prefix = findPrefix(readHead(rest), root)
      tag = Buffer.from(`</${prefix}${name}>`)
      pending = Buffer.alloc(0)
    }
    if (pending.length > 0) {
      const end = findEnd(rest.indexOf(tag), tag)
      // if no element ends in the chunk, one may end across its border
      const joined = Buffer.concat([pending, end === 0 ? rest : rest.subarray(0, end)])
      const whole = end === 0 ? findEnd(joined.lastIndexOf(tag), tag) : joined.length
      if (whole > 0) yield plainXml(joined.subarray(0, whole), prefix)
      pending = joined.subarray(whole)
      if (pending.length > MAX_PENDING)
        throw new PriceFileError('ROW_TOO_LONG', 'A row of the sheet is longer than 32 MB.')
      if (end === 0) continue
      rest = rest.subarray(end)
    }
    while (rest.length > 0) {
      const within = rest.length > PIECE ? findEnd(rest.lastIndexOf(tag, PIECE - tag.length), tag) : 0
      const end = within > 0 ? within : findEnd(rest.lastIndexOf(tag), tag)
      if (end === 0) break
      yield plainXml(rest.subarray(0, end), prefix)
      rest = rest.subarray(end)
    }
    pending = rest
  }
  if (pending.length > 0) yield plainXml(pending, prefix ?? findPrefix(readHead(pending), root))
}

/** A small part as a whole. @throws PriceFileError DAMAGED for a document type, TOO_LARGE */
export async function wholeText(part: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of part as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes)
      throw new PriceFileError('TOO_LARGE', `A part of the workbook is longer than ${maxBytes} bytes.`)
  }
  const bytes = Buffer.concat(chunks)
  readHead(bytes)
  return withoutSections(bytes.toString('utf8'))
}

function findEnd(index: number, tag: Buffer): number {
  return index === -1 ? 0 : index + tag.length
}

/** The beginning of a part; a document type can be declared only there. */
function readHead(xml: Buffer): string {
  const head = xml.toString('latin1', 0, HEAD)
  if (/<!DOCTYPE/i.test(head))
    throw new PriceFileError('DAMAGED', 'The workbook declares a document type, which is not allowed.')
  return head
}

/** Most chunks need no change, which one search for a rare byte shows. */
function plainXml(xml: Buffer, prefix: string): Buffer {
  const hasSections = xml.includes(EXCLAMATION) && (xml.includes('<!--') || xml.includes('<![CDATA['))
  if (!hasSections && prefix === '') return xml
  const text = withoutSections(xml.toString('utf8'))
  return Buffer.from(prefix === '' ? text : text.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</'))
}
