import { describe, expect, it } from '@jest/globals'
import { isHostName } from './host-name.js'

describe('a host name of media_allowed_hosts', () => {
  it.each(['localhost', 'erp_files', 'images.example.org', 'xn--e1afmkfd.xn--p1ai', 'a-b.c1', '1c.example'])(
    '%s',
    (text) => {
      expect(isHostName(text)).toBe(true)
    },
  )
  it.each([
    '',
    'a..b',
    '-a.example',
    'a-.example',
    'http://a.example',
    'a.example:80',
    '*.example.org',
    'картинки.рф',
    '300.1.1.1',
    `${'a'.repeat(64)}.org`,
    'a b',
    `${'a.'.repeat(127)}aa`,
  ])('not %j', (text) => {
    expect(isHostName(text)).toBe(false)
  })
})
