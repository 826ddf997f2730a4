import { BSON } from 'mongodb'

const DOUBLE = 0x01
const STRING = 0x02
const DOCUMENT = 0x03
const ARRAY = 0x04
const BOOLEAN = 0x08
const DATE = 0x09
const NULL = 0x0a
const INT32 = 0x10
const INT64 = 0x12

const DOLLAR = 0x24
const NOTHING: Buffer = Buffer.alloc(0)
const REPLACEMENT = '\ufffd'
/** Of one reader. Documents with names from outside of this program could have any number of them. */
const MAX_NAMES = 1_000

/** A field name, and the names that were last found behind it and at the beginning of its document. */
interface Name {
  text: string
  bytes: Uint8Array
  next: Name | undefined
  first: Name | undefined
}

/**
 * Reads BSON into the objects that the driver would make of it, in a third of the time: the driver creates the string
 * of every field name anew, and an array of the bytes of every short text. Meant for documents of one kind, whose
 * fields have the same order. A document with rare types or names is read by the driver.
 */
export class DocumentReader {
  private readonly names = new Map<string, Name>()
  private readonly root: Name = { text: '', bytes: NOTHING, next: undefined, first: undefined }
  private bytes = NOTHING
  /** the document as Latin-1: a part of it without bytes above 127 is the text of the same part of the document */
  private text = ''
  private at = 0
  private isRare = false

  read(document: Uint8Array): BSON.Document {
    this.bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
    this.text = this.bytes.toString('latin1')
    this.at = 0
    this.isRare = false
    const read = this.readDocument(this.root)
    const isWhole = !this.isRare && this.at === document.length
    // documents of one reply share its memory
    this.bytes = NOTHING
    this.text = ''
    return isWhole ? read : BSON.deserialize(document)
  }

  private readDocument(parent: Name): BSON.Document {
    const document: Record<string, unknown> = {}
    this.at += 4
    let last: Name | undefined
    for (let type = this.bytes[this.at++]; type; type = this.bytes[this.at++]) {
      const name: Name = this.readName(last === undefined ? parent.first : last.next)
      if (last === undefined) parent.first = name
      else last.next = name
      last = name
      document[name.text] = this.readValue(type, name)
      if (this.isRare) break
    }
    return document
  }

  private readArray(parent: Name): unknown[] {
    const items: unknown[] = []
    this.at += 4
    for (let type = this.bytes[this.at++]; type; type = this.bytes[this.at++]) {
      while (this.bytes[this.at]) this.at += 1
      this.at += 1
      items.push(this.readValue(type, parent))
      if (this.isRare) break
    }
    return items
  }

  private readName(expected: Name | undefined): Name {
    if (expected !== undefined && this.isNext(expected.bytes)) {
      this.at += expected.bytes.length
      return expected
    }
    const start = this.at
    const end = this.bytes.indexOf(0, start)
    if (end < 0 || this.bytes[start] === DOLLAR) return this.giveUp()
    this.at = end + 1
    const text = this.bytes.toString('utf8', start, end)
    if (text === '__proto__' || text.includes(REPLACEMENT)) return this.giveUp()
    const known = this.names.get(text)
    if (known) return known
    if (this.names.size >= MAX_NAMES) return this.giveUp()
    const name: Name = { text, bytes: Buffer.from(`${text}\0`), next: undefined, first: undefined }
    this.names.set(text, name)
    return name
  }

  private isNext(name: Uint8Array): boolean {
    const { bytes, at } = this
    for (let index = 0; index < name.length; index += 1) if (bytes[at + index] !== name[index]) return false
    return true
  }

  private readValue(type: number, name: Name): unknown {
    const { bytes, at } = this
    switch (type) {
      case STRING:
        return this.readString()
      case INT32:
        this.at = at + 4
        return bytes.readInt32LE(at)
      case DOUBLE:
        this.at = at + 8
        return bytes.readDoubleLE(at)
      case BOOLEAN:
        this.at = at + 1
        if ((bytes[at] ?? 2) > 1) this.isRare = true
        return bytes[at] === 1
      case NULL:
        return null
      case DATE:
        this.at = at + 8
        return new Date(this.readInt64(at))
      case INT64: {
        this.at = at + 8
        const value = this.readInt64(at)
        if (!Number.isSafeInteger(value)) this.isRare = true
        return value
      }
      case DOCUMENT:
        return this.readDocument(name)
      case ARRAY:
        return this.readArray(name)
      default:
        this.isRare = true
        return undefined
    }
  }

  private readString(): string {
    const { bytes, at } = this
    const start = at + 4
    const end = start + bytes.readInt32LE(at) - 1
    if (end < start || end >= bytes.length) return this.giveUp().text
    this.at = end + 1
    for (let index = start; index < end; index += 1) {
      if ((bytes[index] ?? 0) > 0x7f) {
        const text = bytes.toString('utf8', start, end)
        // the driver rejects invalid UTF-8
        if (text.includes(REPLACEMENT)) this.isRare = true
        return text
      }
    }
    return this.text.substring(start, end)
  }

  private readInt64(at: number): number {
    return this.bytes.readInt32LE(at + 4) * 0x1_0000_0000 + this.bytes.readUInt32LE(at)
  }

  private giveUp(): Name {
    this.isRare = true
    return this.root
  }
}
