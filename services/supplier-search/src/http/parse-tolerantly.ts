import { parseJson } from '@partsbus/platform/bus/call'
import { supplierFault } from '../dialects/read-rows.js'

/**
 * Parses a supplier's reply; bare `NaN` and `Infinity`, which some programs write for numbers that JSON does not
 * have, read as null, so that they spoil their field and not the reply.
 * @throws AppError UNAVAILABLE when it is not JSON
 */
export function parseTolerantly(bytes: Buffer, contentType: string | string[] | undefined): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (bytes.includes('NaN') || bytes.includes('Infinity')) {
      try {
        return parseJson(Buffer.from(replaceBareNumbers(bytes.toString('utf8'))))
      } catch {
        // not the only mistake
      }
    }
    throw supplierFault(
      `The answer is not JSON in UTF-8 (its content type is ${String(contentType ?? 'not given').slice(0, 100)}).`,
      error,
    )
  }
}

const BARE_NUMBER = /-?(?:NaN|Infinity)\b/y

/**
 * Replaces bare numbers outside of strings by null. One pass: a regular expression for strings with escapes takes
 * quadratic time on a string that is not closed, and the supplier chooses the text.
 */
function replaceBareNumbers(text: string): string {
  const parts: string[] = []
  let copied = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (isInString) {
      if (char === '\\') index += 1
      else if (char === '"') isInString = false
    } else if (char === '"') {
      isInString = true
    } else if (char === '-' || char === 'N' || char === 'I') {
      BARE_NUMBER.lastIndex = index
      const found = BARE_NUMBER.exec(text)?.[0]
      if (found === undefined) continue
      parts.push(text.slice(copied, index), 'null')
      index += found.length - 1
      copied = index + 1
    }
  }
  return parts.join('') + text.slice(copied)
}
