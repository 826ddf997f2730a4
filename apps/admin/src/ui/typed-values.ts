/** What stands in the field of a list of values, and the values that it adds to the list. */
export interface Typed {
  text: string
  values: string[]
}

export const NOTHING_TYPED: Typed = { text: '', values: [] }

export const splitValues = (text: string): string[] =>
  text
    .split(/[\n\r\t,;]+/)
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** @param kept the values that are in the list already */
export function readTyped(text: string, kept: readonly string[]): Typed {
  const values = splitValues(text).filter((value, at, all) => !kept.includes(value) && all.indexOf(value) === at)
  return { text, values }
}

/** Whether a list ends with what was typed: it does not once the list was discarded or replaced. */
export const endsWith = (values: readonly string[], { values: typed }: Typed): boolean =>
  typed.length <= values.length && typed.every((value, at) => values[values.length - typed.length + at] === value)
