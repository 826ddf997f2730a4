import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { russianRefusals } from '@partsbus/contracts/http/russian-refusals'
import { refusalInPageLanguage } from './page-language.js'

const translated = (text: string) => refusalInPageLanguage(text, { headers: { cookie: 'partsbus-language=ru' } })

/** Codes whose messages the pages show as they are. */
const REFUSAL = /new AppError\(\s*'(?:CONFLICT|INACTIVE_LIST|RATE_LIMITED|STORE_FAILED)',\s*(['`])(.+?)\1/gs
/** Only parts of messages, whose whole is tested below. */
const PART = /^(?:X Try again|(?:Storage|Pick-up point) X is used by X)|has X import taskX\. $/

/** The messages in the code of all services, with a letter for each part that varies. */
const messages = readdirSync('services', { recursive: true, encoding: 'utf8' })
  .filter((file) => /^[\w-]+\/src\/.*\.ts$/.test(file) && !/full-sync|\.spec\.ts$|\/testing\//.test(file))
  .flatMap((file) => [...readFileSync(`services/${file}`, 'utf8').matchAll(REFUSAL)].map(([, , text = '']) => text))
  .map((text) => text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, 'X'))
  .filter((text) => !PART.test(text))

describe('refusals that the pages show (admin.md#locale)', () => {
  it('finds them in the code', () => {
    expect(messages.length).toBeGreaterThan(15)
  })

  it.each([...new Set(messages)])('has Russian for: %s', (text) => {
    expect(translated(text)).toMatch(/^[^A-Z]*[А-Я]/)
  })

  it.each([
    ['The storage is used by the setting erp_storage_id.', 'Склад используется в настройках.'],
    [
      'The storage is used by the settings a, b. The storage is used by the price list "A. B" (7).',
      'Склад используется в настройках и прайс-листах.',
    ],
    ['Storage 4 is used by 1 supply.', 'На этом складе есть остаток.'],
    ['Storage 4 is used by 21 supplies.', 'На этом складе есть остатки: 21.'],
    ['Storage 4 is used by pick-up point 3 "Север".', 'Склад используется пунктом выдачи «Север».'],
    [
      'An import of the price list 7 "Rossko" is running or waiting.',
      'Импорт прайс-листа «Rossko» ещё идёт или ждёт очереди.',
    ],
    [
      '5 imports of this price list are waiting already. Try again later.',
      'Очереди уже ждут другие импорты этого прайс-листа (5). Повторите попытку позже.',
    ],
    [
      'The price list 7 "A" has 2 import tasks. Send with_history=true to delete them too.',
      'У прайс-листа «A» есть импорты (2). Чтобы удалить и их, передайте with_history=true.',
    ],
    ['Version 3 or 4 is no longer kept.', 'Версия 3 или 4 больше не хранится.'],
    ['Your role does not allow this.', 'Your role does not allow this.'],
  ])('%s', (english, russian) => {
    expect(translated(english)).toBe(russian)
    expect(refusalInPageLanguage(english, { headers: {} })).toBe(english)
    expect(refusalInPageLanguage(english, { headers: { cookie: 'partsbus-language=en' } })).toBe(english)
  })

  it('uses no part of a text that the English one does not have', () => {
    const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name)
    for (const [english, russian] of Object.entries(russianRefusals))
      expect(names(english)).toEqual(expect.arrayContaining(names(russian)))
  })
})
