import type { ImportWarning } from '@partsbus/contracts/pricing-import/import-warning'
import type { Locale } from './skip-texts.js'

/** Sheets that a text names. */
const NAMED_SHEETS = 10

type Code = ImportWarning['code']

/** Warnings of previews and imports (admin.md#warnings). */
const texts: Record<Locale, Record<Code, (count: number, names: string) => string>> = {
  en: {
    SHEETS_UNREAD: (count, names) =>
      `${count} ${count === 1 ? 'sheet' : 'sheets'} with rows will not be read: ${names}. ` +
      '"sheet": "all" reads every sheet that has the columns of a list.',
    NO_NAME: (count) =>
      `${count} ${count === 1 ? 'row has' : 'rows have'} no product name. Partners do not find these brands with ` +
      'get-brands, only with get-parts.',
    NO_PRICE: (count) => `${count} ${count === 1 ? 'row has' : 'rows have'} no price.`,
    BRANDS_DOUBTFUL: (count) => `The column of the brand holds ${count} different values: they may be no brands.`,
    MANY_SKIPPED: (count) => `${count} rows with goods would be left out.`,
    LIST_SHRINKS: (count) => `Less than half of the live offers would be left: ${count} fewer.`,
    NOTHING_TO_IMPORT: (count) =>
      count === 0 ? 'The file contains no rows: an import would fail.' : `None of the ${count} rows can be imported.`,
    TOO_FEW_ROWS: (count) => `An import would fail: ${count} rows are fewer than min_rows_ratio allows.`,
  },
  ru: {
    SHEETS_UNREAD: (count, names) =>
      `Не будут прочитаны листы со строками (${count}): ${names}. ` +
      'С "sheet": "all" читаются все листы, на которых есть нужные колонки.',
    NO_NAME: (count) =>
      `Строк без наименования товара: ${count}. ` +
      'Партнёры не найдут эти бренды через get-brands, только через get-parts.',
    NO_PRICE: (count) => `Строк без цены: ${count}.`,
    BRANDS_DOUBTFUL: (count) => `В колонке бренда разных значений: ${count}. Возможно, это не бренды.`,
    MANY_SKIPPED: (count) => `Не будут импортированы строки с товарами: ${count}.`,
    LIST_SHRINKS: (count) => `Останется меньше половины действующих предложений: на ${count} меньше.`,
    NOTHING_TO_IMPORT: (count) =>
      count === 0 ? 'В файле нет строк: импорт не удастся.' : `Ни одну из строк (${count}) нельзя импортировать.`,
    TOO_FEW_ROWS: (count) => `Импорт не будет принят: строк ${count}, это меньше, чем допускает min_rows_ratio.`,
  },
}

export function warn(code: Code, locale: Locale, count: number, names: readonly string[] = []): ImportWarning {
  const named = names.slice(0, NAMED_SHEETS).map((name) => (locale === 'ru' ? `«${name}»` : `"${name}"`))
  const rest = names.length > NAMED_SHEETS ? ', …' : ''
  return { code, message: texts[locale][code](count, `${named.join(', ')}${rest}`), count }
}
