import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { createTranslator } from '@partsbus/platform/texts/translator'
import { russianReasons } from './russian-reasons.js'

const toRussian = createTranslator(russianReasons)

/** The texts in the code, with a digit for each part that varies. */
const FILES = ['downloader.ts', 'read-body.ts'].map((name) => `services/catalog/src/media/fetch/${name}`)
const texts = FILES.flatMap((file) => [
  ...readFileSync(file, 'utf8').matchAll(/(?:failed(?:ForNow)?\(|reason = (?:\w+\.\w+ \? )?)(['`])(.+?)\1/g),
]).map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '4'))

describe('reasons of failed images in Russian (admin.md#locale)', () => {
  it('are found in the code', () => {
    expect(texts.length).toBeGreaterThan(7)
  })

  it.each([...new Set(texts)])('has: %s', (text) => {
    expect(toRussian(text)).toMatch(/[а-я]/)
  })

  it.each([
    ['HTTP 503', 'сервер ответил HTTP 503'],
    ['30000×30000 is more than 50000000 pixels', '30000×30000: больше 50000000 пикселей'],
    ['the scheme ftp: is not fetched', 'по протоколу ftp: картинки не загружаются'],
    ['more than 3 redirects', 'больше 3 перенаправлений'],
    ['EPROTO', 'EPROTO'],
  ])('%s', (english, russian) => {
    expect(toRussian(english)).toBe(russian)
  })
})
