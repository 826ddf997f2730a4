import { parseJson } from '@partsbus/platform/bus/call'
import { supplierFault } from '../dialects/read-rows.js'

/** A string, or a bare word that some programs write for numbers that JSON does not have. */
const stringsAndBareNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs

/**
 * Parses a supplier's answer; bare `NaN` and `Infinity` read as null, so that they spoil their field and not the answer.
 * @throws AppError UNAVAILABLE when it is no JSON
 */
export function parseTolerantly(bytes: Buffer, contentType: string | string[] | undefined): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (bytes.includes('NaN') || bytes.includes('Infinity')) {
      const text = bytes
        .toString('utf8')
        .replace(stringsAndBareNumbers, (found) => (found.startsWith('"') ? found : 'null'))
      try {
        return parseJson(Buffer.from(text))
      } catch {
        // no better than before
      }
    }
    throw supplierFault(
      `The answer is not JSON in UTF-8 (its content type is ${String(contentType ?? 'not given').slice(0, 100)}).`,
      error,
    )
  }
}
