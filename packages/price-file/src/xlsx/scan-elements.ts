import type { Readable } from 'node:stream'
import { PriceFileError } from '../price-file-error.js'
import { withoutSections } from './xml-text.js'

/** Longest run of XML between two line ends of the table; a shared string or a row cannot be larger. */
const MAX_PENDING = 32 * 1024 * 1024

/**
 * Gives an XML part in pieces that end behind a closing tag, so that no element of that name is ever cut.
 * The last piece holds what follows the last one.
 * @throws PriceFileError DAMAGED for a document type (entities are never expanded), ROW_TOO_LONG
 */
export async function* wholeElements(part: Readable, closingTag: (head: string) => string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let pending = ''
  let tag = ''
  for await (const chunk of part as AsyncIterable<Buffer>) {
    pending += decoder.decode(chunk, { stream: true })
    if (tag === '') {
      if (pending.length < 1_024 && !pending.includes('</')) continue
      refuseDocumentType(pending)
      tag = closingTag(pending)
    }
    const end = pending.lastIndexOf(tag)
    if (end >= 0) {
      yield withoutSections(pending.slice(0, end + tag.length))
      pending = pending.slice(end + tag.length)
    }
    if (pending.length > MAX_PENDING) throw new PriceFileError('ROW_TOO_LONG', 'A row of the sheet is longer than 32 MB.')
  }
  pending += decoder.decode()
  refuseDocumentType(pending)
  if (pending !== '') yield withoutSections(pending)
}

/** A small part as a whole. @throws PriceFileError DAMAGED for a document type, TOO_LARGE */
export async function wholeText(part: Readable, maxChars: number): Promise<string> {
  let text = ''
  for await (const piece of wholeElements(part, () => '>')) {
    text += piece
    if (text.length > maxChars) throw new PriceFileError('TOO_LARGE', `A part of the workbook is longer than ${maxChars} characters.`)
  }
  return text
}

function refuseDocumentType(xml: string): void {
  if (/<!DOCTYPE/i.test(xml.slice(0, 4_096))) throw new PriceFileError('DAMAGED', 'The workbook declares a document type, which is not allowed.')
}
