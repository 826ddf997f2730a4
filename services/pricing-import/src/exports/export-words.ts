import type { ExportLanguage } from '@partsbus/contracts/pricing-import/commands'
import { type ChangeKind, changeKinds, changeWords } from '@partsbus/contracts/pricing-import/change-kinds'
import { skippedColumns } from '@partsbus/contracts/pricing-import/skipped-columns'
import type { DecimalMark } from '../rows/number-text.js'

interface NamedList {
  id: number
  name: string
}

/** Programs know it by its id, people by its number within the list. */
interface NamedVersion {
  version: number
  number: number
}

/** What a file is called, its columns and its sheet, and how it writes numbers. */
export interface ExportWords {
  /** without its extension */
  offersFile: (list: NamedList, version: NamedVersion | null) => string
  skippedFile: (task: number) => string
  /** Names that imports find by themselves, so that an export can be uploaded again; `row` is in the last column. */
  offerColumns: readonly string[]
  /** After the cells of a skipped row; imports look for none of them. */
  reasonColumns: readonly string[]
  offersSheet: string
  skippedSheet: string
  changesFile: (list: NamedList, from: NamedVersion, to: NamedVersion) => string
  /** In the order of `changeRows`. */
  changeColumns: readonly string[]
  changeKinds: Record<ChangeKind, string>
  changesSheet: string
  /** of numbers in a CSV; in a workbook they are numbers */
  decimalMark: DecimalMark
}

/** For programs: the names of the fields. */
const fieldNames: ExportWords = {
  offersFile: ({ id }, of) => (of === null ? `offers-${id}` : `offers-${id}-v${of.version}`),
  skippedFile: (task) => `skipped-${task}`,
  offerColumns: ['brand', 'article', 'name', 'quantity', 'price', 'delivery_days', 'row'],
  reasonColumns: skippedColumns.fields,
  offersSheet: 'Offers',
  skippedSheet: 'Skipped rows',
  changesFile: ({ id }, from, to) => `changes-${id}-v${from.version}-v${to.version}`,
  changeColumns: [
    ...['kind', 'brand', 'article', 'name', 'old_price', 'new_price', 'price_percent'],
    ...['old_quantity', 'new_quantity', 'old_delivery_days', 'new_delivery_days', 'old_name', 'old_row', 'new_row'],
  ],
  changeKinds: Object.fromEntries(changeKinds.map((kind) => [kind, kind])) as Record<ChangeKind, string>,
  changesSheet: 'Changes',
  decimalMark: '.',
}

/** For people, in the language of their page. */
const words: Record<ExportLanguage, ExportWords> = {
  en: {
    offersFile: ({ name }, version) => fileName('Offers', name, version),
    skippedFile: (task) => `Skipped rows of import ${task}`,
    offerColumns: ['Brand', 'Article', 'Name', 'Quantity', 'Price', 'Delivery days', 'Row'],
    reasonColumns: skippedColumns.en,
    offersSheet: 'Offers',
    skippedSheet: 'Skipped rows',
    changesFile: ({ name }, from, to) => `${fileName('Changes', name, from)} to v${to.number}`,
    changeColumns: [
      ...['Change', 'Brand', 'Article', 'Name', 'Old price', 'New price', 'Difference, %'],
      ...['Old quantity', 'New quantity', 'Old delivery days', 'New delivery days', 'Old name', 'Old row', 'New row'],
    ],
    changeKinds: changeWords.en,
    changesSheet: 'Changes',
    decimalMark: '.',
  },
  ru: {
    offersFile: ({ name }, version) => fileName('Предложения', name, version),
    skippedFile: (task) => `Пропущенные строки импорта ${task}`,
    offerColumns: ['Бренд', 'Артикул', 'Наименование', 'Количество', 'Цена', 'Срок поставки, дней', 'Строка'],
    reasonColumns: skippedColumns.ru,
    offersSheet: 'Предложения',
    skippedSheet: 'Пропущенные строки',
    changesFile: ({ name }, from, to) => `${fileName('Изменения', name, from)} - v${to.number}`,
    changeColumns: [
      ...['Изменение', 'Бренд', 'Артикул', 'Наименование', 'Прежняя цена', 'Новая цена', 'Разница, %'],
      ...['Прежнее количество', 'Новое количество', 'Прежний срок, дней', 'Новый срок, дней'],
      ...['Прежнее наименование', 'Прежняя строка', 'Новая строка'],
    ],
    changeKinds: changeWords.ru,
    changesSheet: 'Изменения',
    decimalMark: ',',
  },
}

/** Characters that no file may be named with on some system. */
const FORBIDDEN = /[\p{Cc}\\/:*?"<>|]/gu
/** Of the name of a list, so that the whole fits where names are limited. */
const MAX_NAME = 80

function fileName(what: string, list: string, version: NamedVersion | null): string {
  const name = list.toWellFormed().replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim()
  return [what, [...name].slice(0, MAX_NAME).join(''), version === null ? '' : `v${version.number}`]
    .filter((part) => part !== '')
    .join(' ')
}

/** @param language of the page that asks; undefined for a program */
export function exportWords(language: ExportLanguage | undefined): ExportWords {
  return language === undefined ? fieldNames : words[language]
}
