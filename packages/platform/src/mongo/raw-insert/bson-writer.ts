const DOUBLE = 0x01
const STRING = 0x02
const ARRAY = 0x04
const NULL = 0x0a
const INT32 = 0x10
const FIRST_BYTES = 64 * 1024
/** Up to here a loop beats the call of a native encoder. */
const SHORT = 40

/** The name of a field as BSON has it, its closing zero included. */
export function fieldName(name: string): Buffer {
  return Buffer.from(`${name}\0`)
}

/**
 * Writes documents of known fields as BSON, one behind the other, byte for byte as the driver would: several times
 * faster, and what comes out can go through other processes without being read again.
 */
export class BsonWriter {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private at = 0

  /** bytes written */
  get length(): number {
    return this.at
  }

  /** The written bytes; valid until the next write. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.at)
  }

  clear(): void {
    this.at = 0
  }

  /** Begins a document. @returns what `end` wants to know */
  begin(): number {
    this.need(4)
    this.at += 4
    return this.at - 4
  }

  end(begun: number): void {
    this.need(1)
    this.buffer[this.at] = 0
    this.at += 1
    this.buffer.writeInt32LE(this.at - begun, begun)
  }

  beginArray(name: Buffer): number {
    this.head(ARRAY, name)
    return this.begin()
  }

  /** An integer of 32 bits where it fits, else a double. */
  number(name: Buffer, value: number): void {
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.head(INT32, name)
      this.need(4)
      this.at = this.buffer.writeInt32LE(value, this.at)
    } else {
      this.head(DOUBLE, name)
      this.need(8)
      this.at = this.buffer.writeDoubleLE(value, this.at)
    }
  }

  null(name: Buffer): void {
    this.head(NULL, name)
  }

  string(name: Buffer, text: string): void {
    this.head(STRING, name)
    this.need(text.length * 3 + 5)
    const start = this.at + 4
    const end = this.ascii(text, start) ?? start + this.buffer.write(text, start, 'utf8')
    this.buffer[end] = 0
    this.buffer.writeInt32LE(end - start + 1, this.at)
    this.at = end + 1
  }

  /** @returns undefined when the text is not short and ASCII */
  private ascii(text: string, start: number): number | undefined {
    const { length } = text
    if (length > SHORT) return undefined
    const { buffer } = this
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return undefined
      buffer[start + index] = code
    }
    return start + length
  }

  private head(type: number, name: Buffer): void {
    this.need(name.length + 1)
    const { buffer } = this
    let at = this.at
    buffer[at] = type
    at += 1
    for (let index = 0; index < name.length; index += 1) buffer[at + index] = name[index] ?? 0
    this.at = at + name.length
  }

  private need(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.at + bytes))
    this.buffer.copy(larger, 0, 0, this.at)
    this.buffer = larger
  }
}
