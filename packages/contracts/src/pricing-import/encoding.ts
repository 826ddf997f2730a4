import { z } from 'zod'

const encodings = ['auto', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'cp866', 'koi8-r'] as const

export type FormatEncoding = (typeof encodings)[number]

/** Usual spellings in lower case without spaces, `-` and `_`. */
const spellings: Record<string, FormatEncoding> = {
  auto: 'auto',
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  utf16: 'utf-16le',
  utf16le: 'utf-16le',
  unicode: 'utf-16le',
  utf16be: 'utf-16be',
  windows1251: 'windows-1251',
  win1251: 'windows-1251',
  cp1251: 'windows-1251',
  xcp1251: 'windows-1251',
  '1251': 'windows-1251',
  ansi: 'windows-1251',
  cp866: 'cp866',
  ibm866: 'cp866',
  oem866: 'cp866',
  dos866: 'cp866',
  '866': 'cp866',
  oem: 'cp866',
  dos: 'cp866',
  koi8r: 'koi8-r',
  koi8: 'koi8-r',
  cskoi8r: 'koi8-r',
}

/** An encoding under one of its usual names (admin.md#encoding-names); it is stored under the one of the contract. */
export const formatEncoding = z
  .preprocess((value) => {
    if (typeof value !== 'string') return value
    const name = value.toLowerCase().replace(/[\s_-]/g, '')
    return Object.hasOwn(spellings, name) ? spellings[name] : value
  }, z.enum(encodings))
  .describe('usual spellings like `utf8`, `cp1251`, `ibm866` and `koi8r` are accepted')
