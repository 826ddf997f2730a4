import { describe, expect, it } from '@jest/globals'
import { markupText } from './markup-text.js'

const bytes = (page: string, text: string): Buffer => {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(page).decode(Uint8Array.of(byte)), byte]),
  )
  return Buffer.from([...text].map((char) => table.get(char) ?? 0x3f))
}
const wide = Buffer.from('\ufeff<table>Бош', 'utf16le')

describe('the text of HTML and XML', () => {
  it.each<[string, Buffer, string]>([
    [
      'what the head of the page declares',
      bytes('ibm866', '<meta http-equiv="Content-Type" content="text/html; charset=cp866"><td>Бош'),
      'Бош',
    ],
    ['what XML declares', bytes('koi8-r', '<?xml version="1.0" encoding="koi8-r"?><td>Бош'), 'Бош'],
    ['UTF-8 where nothing is declared', Buffer.from('<table><td>Бош'), 'Бош'],
    ['UTF-8 although something else is declared', Buffer.from('<meta charset="windows-1251"><td>Бош'), 'Бош'],
    ['windows-1251 where nothing is declared', bytes('windows-1251', '<table><td>Бош'), 'Бош'],
    ['windows-1251 although UTF-8 is declared', bytes('windows-1251', '<meta charset="utf-8"><td>Бош'), 'Бош'],
    [
      'windows-1251 although a name is declared that nobody knows',
      bytes('windows-1251', '<meta charset="x-own"><td>Бош'),
      'Бош',
    ],
    ['UTF-16 by its mark', wide, 'Бош'],
    ['UTF-16 with its bytes swapped', Buffer.from(wide).swap16(), 'Бош'],
  ])('is %s', (_name, given, end) => {
    expect(markupText(given).slice(-3)).toBe(end)
  })
})
