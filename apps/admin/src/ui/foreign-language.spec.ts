import { describe, expect, it } from '@jest/globals'
import { foreignLanguage } from './foreign-language.js'

describe('foreignLanguage', () => {
  it.each([
    ['Сервер ответил HTTP 404.', 'ru', undefined],
    ['The host answered HTTP 404.', 'ru', 'en'],
    ['The host answered HTTP 404.', 'en', undefined],
    ['Нет места.', 'en', 'ru'],
    ['–', 'ru', undefined],
  ] as const)('%s on a page in %s: %s', (text, ofPage, language) => {
    expect(foreignLanguage(text, ofPage)).toBe(language)
  })
})
