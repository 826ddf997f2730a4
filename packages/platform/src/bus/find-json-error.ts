const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const LETTER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const SPACES = toBytes(' \t\n\r')
const ESCAPES = toBytes('"\\/bfnrt')
const EXPONENTS = toBytes('eE')
const SIGNS = toBytes('+-')
const LITERALS = ['true', 'false', 'null']

function toBytes(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters))
}

/**
 * Finds the first byte that cannot continue a JSON text; `JSON.parse` names no position for most errors. One pass
 * without recursion, because a body of 8 MiB may be nested as deeply.
 * @param start where the text begins, behind a byte order mark
 * @returns the length of the text when it ends too early, undefined when it is valid
 */
export function findJsonError(bytes: Uint8Array, start = 0): number | undefined {
  return new JsonScanner(bytes, start).findError()
}

/** The part of a value that the scanner expects next. */
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

/** Whether a part was scanned, and where it ended or broke off. */
interface Scanned {
  isValid: boolean
  at: number
}

class JsonScanner {
  /** the closing bytes of the open arrays and objects */
  private readonly open: number[] = []
  private expected: Expected = 'value'

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {}

  /** The offset of the first byte that cannot continue the text; the length of the body when it ends too early. */
  findError(): number | undefined {
    for (;;) {
      this.at = skipSpaces(this.bytes, this.at)
      if (this.at >= this.bytes.length) return this.expected === 'end' ? undefined : this.bytes.length
      const { isValid, at } = this.scanNext(this.bytes[this.at] ?? 0)
      this.at = at
      if (!isValid) return at
    }
  }

  private scanNext(byte: number): Scanned {
    const invalid: Scanned = { isValid: false, at: this.at }
    switch (this.expected) {
      case 'end':
        return invalid
      case 'colon':
        return byte === COLON ? this.pass('value') : invalid
      case 'comma':
        if (byte === this.open.at(-1)) return this.close()
        if (byte !== COMMA) return invalid
        return this.pass(this.open.at(-1) === CLOSE_OBJECT ? 'key' : 'value')
      case 'first-key':
      case 'key':
        if (byte === CLOSE_OBJECT && this.expected === 'first-key') return this.close()
        if (byte !== QUOTE) return invalid
        this.expected = 'colon'
        return this.scanString()
      case 'first-value':
        return byte === CLOSE_ARRAY ? this.close() : this.scanValue(byte)
      case 'value':
        return this.scanValue(byte)
    }
  }

  private scanValue(byte: number): Scanned {
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      this.open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT)
      return this.pass(byte === OPEN_ARRAY ? 'first-value' : 'first-key')
    }
    this.expected = this.afterValue()
    if (byte === QUOTE) return this.scanString()
    return this.scanLiteral() ?? this.scanNumber()
  }

  private pass(next: Expected): Scanned {
    this.expected = next
    return { isValid: true, at: this.at + 1 }
  }

  private close(): Scanned {
    this.open.pop()
    return this.pass(this.afterValue())
  }

  private afterValue(): Expected {
    return this.open.length === 0 ? 'end' : 'comma'
  }

  private scanString(): Scanned {
    for (let at = this.at + 1; at < this.bytes.length; at += 1) {
      const byte = this.bytes[at] ?? 0
      if (byte === QUOTE) return { isValid: true, at: at + 1 }
      if (byte < 0x20) return { isValid: false, at }
      if (byte !== BACKSLASH) continue
      at += 1
      const escape = this.bytes[at]
      if (escape === LETTER_U) {
        for (const end = at + 4; at < end; at += 1)
          if (!isHexDigit(this.bytes[at + 1])) return { isValid: false, at: Math.min(at + 1, this.bytes.length) }
      } else if (!ESCAPES.has(escape ?? 0)) return { isValid: false, at: Math.min(at, this.bytes.length) }
    }
    return { isValid: false, at: this.bytes.length }
  }

  private scanLiteral(): Scanned | undefined {
    const literal = LITERALS.find((text) => text.charCodeAt(0) === this.bytes[this.at])
    if (literal === undefined) return undefined
    for (let offset = 1; offset < literal.length; offset += 1) {
      if (this.bytes[this.at + offset] !== literal.charCodeAt(offset)) return { isValid: false, at: this.at + offset }
    }
    return { isValid: true, at: this.at + literal.length }
  }

  private scanNumber(): Scanned {
    let at = this.at
    if (this.bytes[at] === MINUS) at += 1
    if (this.bytes[at] === ZERO) at += 1
    else {
      const end = this.skipDigits(at)
      if (end === at) return { isValid: false, at }
      at = end
    }
    if (this.bytes[at] === POINT) {
      const end = this.skipDigits(at + 1)
      if (end === at + 1) return { isValid: false, at: end }
      at = end
    }
    if (!EXPONENTS.has(this.bytes[at] ?? 0)) return { isValid: true, at }
    const digits = SIGNS.has(this.bytes[at + 1] ?? 0) ? at + 2 : at + 1
    const end = this.skipDigits(digits)
    return { isValid: end > digits, at: end }
  }

  private skipDigits(from: number): number {
    let at = from
    while (isDigit(this.bytes[at])) at += 1
    return at
  }
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE
}

function isHexDigit(byte = 0): boolean {
  const letter = byte | 0x20
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66)
}

export function skipSpaces(bytes: Uint8Array, from: number): number {
  let at = from
  while (SPACES.has(bytes[at] ?? 0)) at += 1
  return at
}
