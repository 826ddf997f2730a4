import type { Locale } from './skip-texts.js'
import { russianTexts } from './russian-texts.js'

interface Template {
  pattern: RegExp
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
  for (const { pattern, names, russian } of templates) {
    const match = pattern.exec(message)
    if (!match) continue
    const values = new Map(names.map((name, index) => [name, match[index + 1] ?? '']))
    return russian.replace(/\{(\w+)\}/g, (_, name: string) => translateValue(name, values.get(name) ?? ''))
  }
  return message
}

function toTemplate(english: string, russian: string): Template {
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = english.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return { pattern: new RegExp(`^${parts.join('([^]*?)')}$`), names, russian }
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
