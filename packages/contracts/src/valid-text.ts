/** Whether it has neither NUL nor lone surrogates (rules.md#values-text). */
export function isValidText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
