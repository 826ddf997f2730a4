import { describe, expect, it } from '@jest/globals'
import { chooseMember } from '@partsbus/price-file/archive'
import { findLayout } from '../rows/layout.js'
import { notPublic } from '../sources/checked-address.js'
import { russianTexts } from './russian-texts.js'
import { skipMessage } from './skip-texts.js'
import { translate } from './translate.js'

const thrown = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}
const member = { name: 'a.csv', size: 1, isFolder: false, isEncrypted: false, isLink: false }

describe('messages for administrators (admin.md#locale)', () => {
  it.each<[string, string]>([
    [
      thrown(() => findLayout([['a', 'b']], {})),
      'Не найдены колонки: артикул, бренд, количество. ' +
        'Назовите колонки в строке заголовка или задайте их в прайс-листе.',
    ],
    [
      thrown(() => findLayout([['Бренд', 'Артикул', 'Кол-во']], { columns: { price: ['Опт', 'Цена'] } })),
      'В файле нет колонки "Опт" или "Цена", которая задана в прайс-листе (цена).',
    ],
    [thrown(() => chooseMember([member, member, member], 10)), 'В архиве должен быть ровно один файл, а их 3.'],
    [thrown(() => chooseMember([{ ...member, isEncrypted: true }], 10)), 'Архив защищён паролем.'],
    [
      thrown(() => chooseMember([{ ...member, name: '../a.csv' }], 10)),
      'Имя файла в архиве ведёт за его пределы (zip slip).',
    ],
    [
      'The column "№ по каталогу" was not taken for the article: it is almost blank, or has remarks.',
      'Колонка «№ по каталогу» почти пуста или содержит пометки, поэтому артикул из неё не берётся.',
    ],
    ...[notPublic().message, 'The address of the host is not public. SOURCE_ALLOWED_HOSTS may allow it.'].map(
      (message): [string, string] => [
        message,
        'Адрес сервера не публичный: разрешить его может системный администратор (переменная SOURCE_ALLOWED_HOSTS).',
      ],
    ),
    ['The file is not valid: The archive is damaged.', 'Файл не подходит: Архив повреждён.'],
    [
      'The file contains no rows. The text was read as windows-1251.',
      'В файле нет строк. Текст прочитан в кодировке windows-1251.',
    ],
    ['The folder "a.b (c)" cannot be opened.', 'Папку «a.b (c)» открыть не удалось.'],
    [
      'This is a web page, not a price list. A table of a page must be named .html.',
      'Это веб-страница, а не прайс-лист. Имя файла с таблицей веб-страницы должно кончаться на .html.',
    ],
    ['Something else.', 'Something else.'],
    ['constructor', 'constructor'],
  ])('%s', (english, russian) => {
    expect(translate(english, 'ru')).toBe(russian)
    expect(translate(english, 'en')).toBe(english)
  })

  it('uses no part of a text that the English one does not have', () => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name)
    for (const [english, russian] of Object.entries(russianTexts))
      expect(names(english)).toEqual(expect.arrayContaining(names(russian)))
  })

  it('names the row that is imported in place of a duplicate', () => {
    expect(skipMessage('DUPLICATE', 'en')).toBe('Another row has the same brand and article.')
    expect(skipMessage('DUPLICATE', 'en', { sheet_row: 17 })).toBe(
      'Row 17 has the same brand and article and is imported instead.',
    )
    expect(skipMessage('DUPLICATE', 'ru', { sheet_row: 17, sheet: 'Лист2' })).toBe(
      'Вместо этой строки импортируется строка 17 листа «Лист2»: у них один бренд и артикул.',
    )
    expect(skipMessage('NO_BRAND', 'ru', { sheet_row: 17 })).toBe('Нет бренда.')
  })
})
