import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { RowLocation } from '../import-tasks/row-location.js'
import type { SkipCode } from '../rows/skip-code.js'

export type Locale = CallSettings['admin_locale']

/** Reasons for skipping a row, as administrators see them (admin.md#locale). */
const skipTexts: Record<Locale, Record<SkipCode, string>> = {
  en: {
    REPEATED_HEADER: 'The row repeats the header.',
    GROUP_ROW: 'The row is a heading of a group: it has neither article, nor price, nor quantity.',
    TOO_MANY_CELLS: 'The row has more cells than are read.',
    NO_ARTICLE: 'The article is missing.',
    NO_BRAND: 'The brand is missing.',
    NO_QUANTITY: 'The quantity is missing.',
    BAD_QUANTITY: 'The quantity is not understood.',
    BAD_PRICE: 'The price is not understood.',
    NEGATIVE_PRICE: 'The price is negative.',
    BAD_DELIVERY_DAYS: 'The delivery time is not understood.',
    TOO_LONG: 'The article or the brand is longer than 191 characters.',
    DUPLICATE: 'Another row has the same brand and article.',
  },
  ru: {
    REPEATED_HEADER: 'Строка повторяет заголовок.',
    GROUP_ROW: 'Строка – заголовок группы: в ней нет ни артикула, ни цены, ни количества.',
    TOO_MANY_CELLS: 'В строке больше ячеек, чем читается.',
    NO_ARTICLE: 'Нет артикула.',
    NO_BRAND: 'Нет бренда.',
    NO_QUANTITY: 'Нет количества.',
    BAD_QUANTITY: 'Количество не распознано.',
    BAD_PRICE: 'Цена не распознана.',
    NEGATIVE_PRICE: 'Цена отрицательная.',
    BAD_DELIVERY_DAYS: 'Срок поставки не распознан.',
    TOO_LONG: 'Артикул или бренд длиннее 191 символа.',
    DUPLICATE: 'Другая строка имеет тот же бренд и артикул.',
  },
}

/** @param by the row that is imported in place of a duplicate, where it is known */
export function skipMessage(code: SkipCode, locale: Locale, by?: RowLocation): string {
  if (code !== 'DUPLICATE' || !by) return skipTexts[locale][code]
  return locale === 'ru'
    ? `Вместо этой строки импортируется строка ${rowName(by, locale)}: у них один бренд и артикул.`
    : `Row ${rowName(by, locale)} has the same brand and article and is imported instead.`
}

function rowName({ sheet, sheet_row }: RowLocation, locale: Locale): string {
  if (sheet === undefined) return String(sheet_row)
  return locale === 'ru' ? `${sheet_row} листа «${sheet}»` : `${sheet_row} of sheet "${sheet}"`
}
