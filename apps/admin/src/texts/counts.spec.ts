import { expect, it } from '@jest/globals'
import { catalog } from './ru/catalog.js'
import { general } from './ru/general.js'
import { imports } from './ru/imports.js'
import { overview } from './ru/overview.js'
import { people } from './ru/people.js'
import { priceLists } from './ru/price-lists.js'
import { search } from './ru/search.js'
import { shell } from './ru/shell.js'
import { states } from './ru/states.js'
import { catalog as catalogEn } from './en/catalog.js'
import { general as generalEn } from './en/general.js'
import { imports as importsEn } from './en/imports.js'
import { overview as overviewEn } from './en/overview.js'
import { people as peopleEn } from './en/people.js'
import { priceLists as priceListsEn } from './en/price-lists.js'
import { search as searchEn } from './en/search.js'
import { shell as shellEn } from './en/shell.js'

type Counted = (count: number) => string

it.each<[name: string, text: Counted, words: [one: string, few: string, many: string]]>([
  ['rows', general.rows, ['строка', 'строки', 'строк']],
  ['changes', general.changes, ['изменение', 'изменения', 'изменений']],
  ['skipped rows', imports.rowsSkipped.count, ['строка', 'строки', 'строк']],
  ['skipped rows by reason', priceLists.skippedRows, ['строка', 'строки', 'строк']],
  ['problems', overview.problems, ['проблема', 'проблемы', 'проблем']],
  ['problems in the menu', shell.problems, ['проблема', 'проблемы', 'проблем']],
  ['times', overview.times, ['раз', 'раза', 'раз']],
  ['imports completed', overview.imports.completed, ['импорт завершён', 'импорта завершены', 'импортов завершено']],
  ['imports failed', overview.imports.failed, ['импорт с ошибкой', 'импорта с ошибкой', 'импортов с ошибкой']],
  ['rows imported', overview.imports.rows, ['строка импортирована', 'строки импортированы', 'строк импортировано']],
  ['rows left out', overview.imports.skipped, ['строка пропущена', 'строки пропущены', 'строк пропущено']],
  ['requests', overview.apis.requests, ['запрос', 'запроса', 'запросов']],
  ['requests failed', overview.suppliers.failed, ['запрос с ошибкой', 'запроса с ошибкой', 'запросов с ошибкой']],
  ['products', overview.catalog.products, ['товар', 'товара', 'товаров']],
  ['categories', overview.catalog.categories, ['категория', 'категории', 'категорий']],
  [
    'pictures',
    overview.catalog.picturesFailed,
    ['изображение с ошибкой', 'изображения с ошибкой', 'изображений с ошибкой'],
  ],
  ['stock positions', overview.catalog.supplies, ['складская позиция', 'складские позиции', 'складских позиций']],
  ['storages', overview.catalog.storages, ['склад', 'склада', 'складов']],
  ['points', overview.catalog.points, ['пункт выдачи', 'пункта выдачи', 'пунктов выдачи']],
  ['storages of a brand', search.storages, ['склад', 'склада', 'складов']],
  ['storages asked', (count) => search.askedOf(count, null), ['склад опрошен', 'склада опрошены', 'складов опрошено']],
  ['subcategories', catalog.categories.children, ['подкатегория', 'подкатегории', 'подкатегорий']],
  ['products of a category', catalog.categories.products, ['товар', 'товара', 'товаров']],
  ['attempts', catalog.pictures.attemptsSoFar, ['попытка', 'попытки', 'попыток']],
  ['retries', catalog.pictures.retried, ['загрузка повторяется', 'загрузки повторяются', 'загрузок повторяются']],
  ['violations', states.violations.title, ['поле требует внимания', 'поля требуют внимания', 'полей требуют внимания']],
  [
    'sessions',
    (count) => people.account.signOutOthersText(count).replace(/^Будет завершено: |\. Этот сеанс останется\.$/g, ''),
    ['открытый сеанс', 'открытых сеанса', 'открытых сеансов'],
  ],
  [
    'live offers',
    (count) =>
      priceLists.format
        .liveNow(count)
        .replace(/^Сейчас (действу[ею]т) (.+)\.$/, (_, verb, offers) => `${offers} ${verb}`),
    ['предложение действует', 'предложения действуют', 'предложений действуют'],
  ],
])('Russian: %s', (_name, text, [one, few, many]) => {
  const counts = [1, 21, 2, 22, 5, 11, 25, 0]
  expect(counts.map(text)).toEqual(
    [one, one, few, few, many, many, many, many].map((word, at) => `${counts[at]} ${word}`),
  )
})

it.each<[text: Counted, one: string, other: string]>([
  [generalEn.rows, 'row', 'rows'],
  [generalEn.changes, 'change', 'changes'],
  [importsEn.rowsSkipped.count, 'row', 'rows'],
  [priceListsEn.skippedRows, 'row', 'rows'],
  [overviewEn.problems, 'problem', 'problems'],
  [shellEn.problems, 'problem', 'problems'],
  [overviewEn.times, 'time', 'times'],
  [overviewEn.imports.completed, 'import completed', 'imports completed'],
  [overviewEn.imports.failed, 'import failed', 'imports failed'],
  [overviewEn.imports.rows, 'row imported', 'rows imported'],
  [overviewEn.imports.skipped, 'row skipped', 'rows skipped'],
  [overviewEn.suppliers.failed, 'request failed', 'requests failed'],
  [overviewEn.apis.requests, 'request', 'requests'],
  [overviewEn.catalog.points, 'pick-up point', 'pick-up points'],
  [(count) => searchEn.askedOf(count, null), 'storage asked', 'storages asked'],
  [searchEn.storages, 'storage', 'storages'],
  [catalogEn.categories.children, 'subcategory', 'subcategories'],
  [catalogEn.pictures.retried, 'download is tried again', 'downloads are tried again'],
  [
    (count) => peopleEn.account.signOutOthersText(count).replace(/^It ends |\. This one stays\.$/g, ''),
    'open session',
    'open sessions',
  ],
])('English: a count in words (%#)', (text, one, other) => {
  expect([1, 2, 5, 21].map(text)).toEqual([`1 ${one}`, `2 ${other}`, `5 ${other}`, `21 ${other}`])
})
