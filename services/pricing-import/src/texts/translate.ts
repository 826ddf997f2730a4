import { createTranslator } from '@partsbus/platform/texts/translator'
import type { Locale } from './skip-texts.js'
import { russianTexts } from './russian-texts.js'

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

const toRussian = createTranslator(russianTexts, translateValue)

/**
 * A message of an import, a preview or a source in the locale of the administrators. Messages are stored in English, as
 * partners get them; one that is not in the table stays as it is.
 */
export function translate(message: string, locale: Locale): string {
  if (locale !== 'ru') return message
  const encoding = READ_AS.exec(message)?.[1]
  if (encoding === undefined) return toRussian(message)
  return `${toRussian(message.replace(READ_AS, ''))} Текст прочитан в кодировке ${encoding}.`
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
