import { describe, expect, it } from '@jest/globals'
import { type CodePage, guessCodePage } from './code-page.js'

/** Every character that the code page has. */
function encode(text: string, page: CodePage | 'windows-1252'): Buffer {
  const table = new TextDecoder(page).decode(Uint8Array.from({ length: 256 }, (_, at) => at))
  return Buffer.from([...text].map((letter) => table.indexOf(letter)))
}

const texts: Array<[string, string]> = [
  ['a header', 'Бренд;Артикул;Наименование;Количество;Цена\n'],
  ['capitals', 'ПРОИЗВОДИТЕЛЬ;НОМЕР;ОПИСАНИЕ;ОСТАТОК\nКОЛОДКИ ТОРМОЗНЫЕ ПЕРЕДНИЕ\n'],
  ['names of parts', 'Амортизатор передний левый;Фильтр масляный;Свеча зажигания;Щётка стеклоочистителя;Втулка\n'],
  ['an offer', 'ООО «Автодеталь» № 5 – прайс-лист;Под заказ, уточняйте;Жёсткий диск 5 шт.\n'],
  ['Ukrainian', 'Виробник;Кількість;Ціна;Назва товару\nГальмівні колодки передні;Фільтр оливний\n'],
]

describe.each<CodePage>(['windows-1251', 'ibm866', 'koi8-r'])('the code page %s (rules.md#reading)', (page) => {
  it.each(texts)('is recognised by %s', (_name, text) => {
    const known = [...text]
      .filter((letter) => encode(letter, page)[0] !== undefined && canEncode(letter, page))
      .join('')
    expect(guessCodePage(encode(known, page))).toBe(page)
  })
})

function canEncode(letter: string, page: CodePage): boolean {
  return new TextDecoder(page).decode(Uint8Array.from({ length: 256 }, (_, at) => at)).includes(letter)
}

describe('windows-1251 is the default', () => {
  it.each([
    ['little text', encode('руб;5\n', 'koi8-r')],
    ['ASCII', Buffer.from('brand;article\n'.repeat(100))],
    ['Western names', encode('LEMFÖRDER;Stoßdämpfer;Größe;Zündkerze für Citroën\n'.repeat(20), 'windows-1252')],
    ['random bytes', Buffer.from(Array.from({ length: 4_000 }, (_, at) => 0x80 + ((at * 7_919) % 128)))],
  ])('for %s', (_name, bytes) => {
    expect(guessCodePage(bytes)).toBe('windows-1251')
  })
})
