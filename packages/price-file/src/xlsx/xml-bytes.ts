/* XML as bytes: tags are ASCII, so they are found without decoding the text. */

export const LESS = 0x3c
export const GREATER = 0x3e
export const SLASH = 0x2f

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Whether a tag's name ends before this byte, so that it is not the beginning of a longer name. */
export function endsName(byte: number | undefined): boolean {
  return byte === GREATER || byte === SLASH || isSpace(byte)
}

export function startsAt(xml: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (xml[at + index] !== wanted[index]) return false
  return true
}
