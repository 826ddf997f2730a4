import { AppError } from '@partsbus/contracts/app-error'

/**
 * Most objects and arrays that a JSON text may contain. `JSON.parse` needs 50 to 250 bytes and up to half a microsecond
 * for each, so 8 MiB of `[[[…` or `{},{},…` would take a gigabyte and block the process for seconds. The densest real
 * batch, attributes like `{"name":"a"}`, stays below the limit in 8 MiB.
 *
 * Scalars need no limit of their own. Measured with 8 MiB: 4.2 million numbers 0.12 s and 42 MB, 2.8 million strings
 * 0.08 s and 31 MB. What must not happen to them is validation one by one: arrays have a limit that is checked first
 * (`max`, `batchField`).
 */
export const MAX_CONTAINERS = 700_000
/**
 * Most different fields. For each field V8 looks for an object that began with the same fields in the same order, and
 * makes a new shape where there is none: up to 10 µs, so that 700,000 names took 3.8 s in one object, and 6.6 s in
 * objects of 64. A field after the same ones counts once, however many objects have it; a batch of 5,000 items whose
 * optional fields are missing at random has some thousands.
 */
export const MAX_FIELDS = 20_000

/** The shortest field is `"":0,`; a text that is shorter than so many of them contains no more. */
const HARMLESS_BYTES = 5 * MAX_FIELDS
/** Levels that there is room for at first; a deep text makes more. */
const USUAL_LEVELS = 64

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const ARRAY = 0x5b
const ARRAY_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Nobody can choose names that count as one. */
const SEED = Math.trunc(Math.random() * 0x7fffffff)
const FACTOR = Math.trunc(Math.random() * 0x3fffffff) * 2 + 1

/**
 * Rejects a text that would cost far more than its length suggests, before it is parsed.
 * @throws AppError TOO_LARGE
 */
export function checkJsonWeight(bytes: Uint8Array): void {
  if (bytes.length < HARMLESS_BYTES) return
  const excess = findExcess(bytes)
  if (excess) throw new AppError('TOO_LARGE', `The request must not contain more than ${excess}.`)
}

function findExcess(bytes: Uint8Array): string | undefined {
  const fields = new Set<number>()
  /** by level: whether it is an object, and the hash of its fields so far */
  let isObject = new Uint8Array(USUAL_LEVELS)
  let shapes = new Int32Array(USUAL_LEVELS)
  let containers = 0
  let depth = 0
  let isName = false
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        let hash = SEED
        for (at += 1; at < bytes.length; at++) {
          const byte = bytes[at] as number
          if (byte === QUOTE) break
          if (byte === BACKSLASH) at += 1
          if (isName) hash = Math.imul(hash ^ byte ^ (hash >>> 15), FACTOR)
        }
        if (isName) {
          const shape = Math.imul((shapes[depth] as number) ^ hash ^ (hash >>> 13), FACTOR)
          shapes[depth] = shape
          fields.add(shape)
          if (fields.size > MAX_FIELDS) return `${MAX_FIELDS} different fields`
        }
        isName = false
        break
      }
      case COLON:
        isName = false
        break
      case COMMA:
        isName = isObject[depth] === 1
        break
      case ARRAY:
      case OBJECT:
        containers += 1
        if (containers > MAX_CONTAINERS) return `${MAX_CONTAINERS} objects and arrays`
        depth += 1
        if (depth === isObject.length) {
          isObject = doubled(isObject)
          shapes = doubled(shapes)
        }
        isName = bytes[at] === OBJECT
        isObject[depth] = isName ? 1 : 0
        shapes[depth] = SEED
        break
      case ARRAY_END:
      case OBJECT_END:
        if (depth > 0) depth -= 1
        isName = false
        break
    }
  }
  return undefined
}

function doubled<T extends Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(levels: T): T {
  const more = new (levels.constructor as new (length: number) => T)(levels.length * 2)
  more.set(levels)
  return more
}
