import type { Locale } from './skip-texts.js'
import { russianTexts } from './russian-texts.js'

interface Template {
  /** the text around the values, one more than there are names */
  parts: string[]
  names: string[]
  russian: string
}

const fieldNames: Record<string, string> = {
  article: 'артикул',
  brand: 'бренд',
  name: 'наименование',
  quantity: 'количество',
  price: 'цена',
  'delivery days': 'срок поставки',
}

/** How a text file was read; follows some messages. */
const READ_AS = / The text was read as (\S+)\.$/

let templates: Template[] | undefined

/**
 * A message of an import, a preview or a source in the locale of the administrators. Messages are stored in English, as
 * partners get them; one that is not in the table stays as it is.
 */
export function translate(message: string, locale: Locale): string {
  if (locale !== 'ru') return message
  const encoding = READ_AS.exec(message)?.[1]
  if (encoding !== undefined)
    return `${translate(message.replace(READ_AS, ''), locale)} Текст прочитан в кодировке ${encoding}.`
  const known = Object.hasOwn(russianTexts, message) ? russianTexts[message] : undefined
  return known ?? translateTemplate(message)
}

function translateTemplate(message: string): string {
  templates ??= Object.entries(russianTexts).map(([english, russian]) => toTemplate(english, russian))
  for (const { parts, names, russian } of templates) {
    const found = valuesBetween(parts, message)
    if (found === undefined) continue
    const values = new Map(names.map((name, index) => [name, found[index] ?? '']))
    return russian.replace(/\{(\w+)\}/g, (_, name: string) => translateValue(name, values.get(name) ?? ''))
  }
  return message
}

function toTemplate(english: string, russian: string): Template {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { parts: english.split(/\{\w+\}/), names, russian }
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

function translateValue(name: string, value: string): string {
  if (name === 'reason') return translate(value, 'ru')
  if (name === 'columns') return value.replaceAll('" or "', '" или "')
  if (name !== 'fields') return value
  return value
    .split(' and the ')
    .map((field) => fieldNames[field] ?? field)
    .join(', ')
}
