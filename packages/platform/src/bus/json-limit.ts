import { AppError } from '@partsbus/contracts/errors'

/**
 * Objects and lists a JSON text may hold. `JSON.parse` needs 50 to 250 bytes and up to half a microsecond for each of them,
 * so 8 MiB of `[[[…` or `{},{},…` cost a gigabyte and seconds of a blocked process, where 8 MiB of real items cost a tenth.
 * The densest real batch, attributes like `{"name":"a"}`, stays below it in 8 MiB.
 */
export const MAX_CONTAINERS = 700_000

/** Below this no text can hold more than that many. */
const HARMLESS_BYTES = 2 * MAX_CONTAINERS

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const OBJECT = 0x7b

/**
 * Refuses a text that would cost far more than its length says, before it is parsed.
 * @throws AppError TOO_LARGE
 */
export function checkJsonWeight(bytes: Uint8Array): void {
  if (bytes.length < HARMLESS_BYTES || countBrackets(bytes) <= MAX_CONTAINERS) return
  if (countContainers(bytes) > MAX_CONTAINERS) {
    throw new AppError('TOO_LARGE', `The request must not hold more than ${MAX_CONTAINERS} objects and lists.`)
  }
}

/** The cheap look, about a nanosecond a byte: brackets inside strings are counted too. */
function countBrackets(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LIST || byte === OBJECT) count += 1
  }
  return count
}

function countContainers(bytes: Uint8Array): number {
  let count = 0
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (quoted) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === LIST || byte === OBJECT) count += 1
  }
  return count
}
