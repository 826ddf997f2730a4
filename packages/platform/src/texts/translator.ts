/** The text around the values, one more than there are names. */
interface Template {
  parts: string[]
  names: string[]
  translated: string
}

/** Makes a value of a message, by its name, a part of the translated one. */
export type TranslateValue = (name: string, value: string) => string

/**
 * Translates messages by a table of templates: the key is the original with a name in braces for each part that varies.
 * A message that is not in the table stays as it is.
 */
export function createTranslator(
  table: Record<string, string>,
  translateValue: TranslateValue = (_, value) => value,
): (message: string) => string {
  let templates: Template[] | undefined
  return (message) => {
    const known = Object.hasOwn(table, message) ? table[message] : undefined
    if (known !== undefined) return known
    templates ??= Object.entries(table).map(([original, translated]) => toTemplate(original, translated))
    for (const { parts, names, translated } of templates) {
      const found = valuesBetween(parts, message)
      if (found === undefined) continue
      const values = new Map(names.map((name, index) => [name, found[index] ?? '']))
      return translated.replace(/\{(\w+)\}/g, (_, name: string) => translateValue(name, values.get(name) ?? ''))
    }
    return message
  }
}

function toTemplate(original: string, translated: string): Template {
  const names = [...original.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { parts: original.split(/\{\w+\}/), names, translated }
}

/** The texts between the parts of a message, the shortest that fit; undefined when it does not consist of them. */
function valuesBetween(parts: string[], message: string): string[] | undefined {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return message === first ? [] : undefined
  const end = message.length - last.length
  if (!message.startsWith(first) || !message.endsWith(last)) return undefined
  const values: string[] = []
  let start = first.length
  for (const part of others) {
    const next = message.indexOf(part, start)
    if (next === -1) return undefined
    values.push(message.slice(start, next))
    start = next + part.length
  }
  return start <= end ? [...values, message.slice(start, end)] : undefined
}
