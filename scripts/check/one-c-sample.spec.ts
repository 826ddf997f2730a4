import { describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { checkItem, erpRows, type ItemPath } from '@partsbus/contracts/erp'

/*
 * The code of docs/guides/1c.md is not run: 1C:Enterprise needs a licence, and no package registry has an interpreter
 * of its language. What can be compared without one is: the structure of the code, the names of the platform that it
 * uses, and the calls and fields of the API that it names.
 */

const page = readFileSync(new URL('../../docs/guides/1c.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```bsl\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
const literals = (code: string): string[] => [...code.matchAll(/"([^"\n]*)"/g)].map(([, text = '']) => text)
const withoutTexts = (code: string): string => code.replaceAll(/"[^"]*"/g, '""').replaceAll(/\/\/.*$/gm, '')
const tokens = (code: string): string[] => withoutTexts(code).match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []

const ENDS: Record<string, string> = {
  процедура: 'конецпроцедуры',
  функция: 'конецфункции',
  если: 'конецесли',
  для: 'конеццикла',
  пока: 'конеццикла',
  попытка: 'конецпопытки',
}

/** Names that the help of the platform (8.3) documents. */
const TYPES = [
  ...['HTTPЗапрос', 'HTTPСоединение', 'HTTPСервисОтвет', 'ЗащищенноеСоединениеOpenSSL', 'ЗаписьJSON', 'ЧтениеJSON'],
  ...['ПараметрыЗаписиJSON', 'Запрос', 'Массив', 'Структура', 'Соответствие', 'УникальныйИдентификатор'],
  'СертификатыУдостоверяющихЦентровОС',
]
const METHODS = [
  ...['Выполнить', 'Выбрать', 'Следующий', 'Вставить', 'Добавить', 'Количество', 'Очистить', 'УникальныйИдентификатор'],
  ...['УстановитьСтроку', 'Закрыть', 'Получить', 'УстановитьТелоИзСтроки', 'ОтправитьДляОбработки', 'ПолучитьСсылку'],
  ...[
    'ПолучитьТелоКакСтроку',
    'ПолучитьФоновоеЗадание',
    'ОжидатьЗавершенияВыполнения',
    'УстановитьТелоИзДвоичныхДанных',
  ],
  ...['УстановитьПараметр', 'НайтиПоНаименованию', 'Установить'],
  // of the library of standard subsystems
  'ДвоичныеДанныеФайла',
]
const FUNCTIONS = [
  ...['Строка', 'Число', 'Лев', 'СокрЛП', 'НРег', 'Цел', 'Окр', 'Макс', 'Pow', 'ЗначениеЗаполнено', 'СтрШаблон'],
  ...['ЗаписатьJSON', 'ПрочитатьJSON', 'ЗаписьЖурналаРегистрации', 'КраткоеПредставлениеОшибки', 'ИнформацияОбОшибке'],
  ...['ПолучитьТекущийСеансИнформационнойБазы', 'ТекущаяУниверсальнаяДата', 'СтрЗаканчиваетсяНа', 'СтрРазделить'],
]

describe('the code of docs/guides/1c.md', () => {
  it('has a module, its queries, an HTTP service and its images', () => {
    expect(blocks).toHaveLength(4)
  })

  it.each(blocks.map((code, at) => [at + 1, code] as const))('block %i closes what it opens', (_, code) => {
    const open: string[] = []
    for (const word of tokens(code).map((token) => token.toLowerCase())) {
      if (word in ENDS) open.push(ENDS[word] as string)
      else if (word.startsWith('конец')) expect(word).toBe(open.pop())
    }
    expect(open).toEqual([])
    expect(code.match(/\(/g)?.length).toBe(code.match(/\)/g)?.length)
  })

  it('uses what the platform documents, and what it defines itself', () => {
    const code = withoutTexts(blocks.join('\n'))
    const names = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = '']) => name)
    const own = names(/(?:Процедура|Функция) ([\p{L}_]+)\(/gu)
    expect(names(/Новый ([\p{L}]+)/gu).filter((name) => !TYPES.includes(name))).toEqual([])
    expect(names(/\.([\p{L}]+)\(/gu).filter((name) => !METHODS.includes(name))).toEqual([])
    const called = names(/(?<![.\p{L}])(?<!Новый )([\p{L}][\p{L}\p{N}_]*)\(/gu)
    expect(called.filter((name) => !FUNCTIONS.includes(name) && !own.includes(name))).toEqual([])
  })

  it('names calls of the API, and fields of their items', () => {
    const paths = literals(blocks.join('\n')).filter((text) => text.startsWith('/api/erp'))
    expect(new Set(paths).size).toBe(6)
    for (const path of paths) expect(Object.keys(erpRows)).toContain(path.replace('/api/erp', 'POST '))
    expect(fieldsOf('Товар')).toHaveLength(8)
    expect(unknown('POST /products/batch-upsert', fieldsOf('Товар'))).toEqual({})
    expect(unknown('POST /categories/batch-upsert', fieldsOf('Категория'))).toEqual({})
    expect(unknown('POST /stocks/batch-update', listedIn('Остаток = '))).toEqual({})
    expect(unknown('POST /prices/batch-update', listedIn('Цена = '))).toEqual({})
    const attributes = [Object.fromEntries(listedIn('Характеристика = ').map((name) => [name, '']))]
    expect(checkItem('POST /products/batch-upsert', { attributes }).ignored_fields).toEqual({})
    const images = [Object.fromEntries(listedIn('Картинка = ').map((name) => [name, '']))]
    expect(checkItem('POST /products/batch-upsert', { images }).ignored_fields).toEqual({})
  })
})

const unknown = (path: ItemPath, fields: string[]): Record<string, number> =>
  checkItem(path, Object.fromEntries(fields.map((name) => [name, '']))).ignored_fields

/** Of `Товар.Вставить("name", …)`. */
const fieldsOf = (variable: string): string[] =>
  blocks
    .flatMap((code) => [...code.matchAll(new RegExp(`${variable}\\.Вставить\\("(\\w+)"`, 'g'))])
    .map(([, name = '']) => name)

/** Of `Новый Структура("url, is_main", …)` after a text. */
function listedIn(before: string): string[] {
  const code = blocks.join('\n')
  const [names = ''] = literals(code.slice(code.indexOf(before)))
  return names.split(', ')
}
