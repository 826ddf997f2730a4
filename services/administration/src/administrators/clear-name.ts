import { contractViolation, type Violations } from '@partsbus/contracts/violation'

/** Alphabets with letters that look the same. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

interface Names {
  name?: string | undefined
  display_name?: string | undefined
}

/**
 * The audit log and the pages tell people apart by their names, so that none may pass for another one
 * (admin.md#administrators).
 * @param before what may stay as it is
 * @throws AppError CONTRACT_VIOLATION
 */
export function assertClearNames({ name, display_name }: Names, before: Names = {}): void {
  const errors: Violations = {}
  for (const [field, text] of Object.entries({ name, display_name })) {
    if (text === undefined || text === before[field as keyof Names]) continue
    const label = field.replace('_', ' ')
    if (INVISIBLE.test(text)) errors[field] = [`The ${label} must not contain invisible characters.`]
    else if (hasMixedWord(text)) errors[field] = [`The ${label} must not mix alphabets in a word.`]
  }
  if (Object.keys(errors).length > 0) throw contractViolation(errors, 'format')
}

function hasMixedWord(text: string): boolean {
  const words = text.normalize('NFKC').split(/[^\p{L}\p{M}]+/u)
  return words.some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)
}
