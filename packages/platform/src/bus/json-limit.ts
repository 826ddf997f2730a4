import { AppError } from '@partsbus/contracts/app-error'

/**
 * Most objects and arrays that a JSON text may contain. `JSON.parse` needs 50 to 250 bytes and up to half a microsecond
 * for each, so 8 MiB of `[[[…` or `{},{},…` would take a gigabyte and block the process for seconds. The densest real
 * batch, attributes like `{"name":"a"}`, stays below the limit in 8 MiB.
 *
 * Scalars need no limit of their own. Measured with 8 MiB: 4.2 million numbers 0.12 s and 42 MB, 2.8 million strings
 * 0.08 s and 31 MB, 0.9 million distinct keys 0.6 s and 117 MB, which is what 700,000 objects cost. What must not
 * happen to them is validation one by one: arrays have a limit that is checked first (`max`, `batchField`).
 */
export const MAX_CONTAINERS = 700_000

/** A shorter text cannot contain more. */
const HARMLESS_BYTES = 2 * MAX_CONTAINERS

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ARRAY = 0x5b
const OBJECT = 0x7b

/**
 * Rejects a text that would cost far more than its length suggests, before it is parsed.
 * @throws AppError TOO_LARGE
 */
export function checkJsonWeight(bytes: Uint8Array): void {
  if (bytes.length < HARMLESS_BYTES || countBrackets(bytes) <= MAX_CONTAINERS) return
  if (countContainers(bytes) > MAX_CONTAINERS) {
    throw new AppError('TOO_LARGE', `The request must not contain more than ${MAX_CONTAINERS} objects and arrays.`)
  }
}

/** An upper bound at about a nanosecond a byte: counts brackets inside strings, too. */
function countBrackets(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === ARRAY || byte === OBJECT) count += 1
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
    else if (byte === ARRAY || byte === OBJECT) count += 1
  }
  return count
}
