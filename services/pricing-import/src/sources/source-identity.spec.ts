import { describe, expect, it } from '@jest/globals'
import { isSameLogin } from './source-identity.js'

const ftp = { kind: 'ftp', host: 'ftp.example', username: 'shop' }
const url = { kind: 'url', url: 'https://host.example/a.csv', username: 'shop' }

describe('a password goes to the same login (admin.md#secrets)', () => {
  it.each<[string, object, object, boolean]>([
    ['another path of a url', url, { ...url, url: 'https://host.example/b.csv' }, true],
    ['the default port of a url', url, { ...url, url: 'https://HOST.example:443/a.csv' }, true],
    ['another port of a url', url, { ...url, url: 'https://host.example:8443/a.csv' }, false],
    ['another scheme of a url', url, { ...url, url: 'http://host.example/a.csv' }, false],
    ['another host of a url', url, { ...url, url: 'https://host.example.evil.test/a.csv' }, false],
    ['another user name', url, { ...url, username: 'shop2' }, false],
    ['no user name', url, { kind: 'url', url: url.url }, false],
    ['another folder', ftp, { ...ftp, path: 'out' }, true],
    ['the default port of ftp', ftp, { ...ftp, port: 21 }, true],
    ['a host in capitals', ftp, { ...ftp, host: 'FTP.example' }, true],
    ['another port', ftp, { ...ftp, port: 2121 }, false],
    ['without TLS', { ...ftp, secure: true }, ftp, false],
    ['another kind', ftp, { ...ftp, kind: 'email' }, false],
  ])('%s', (_what, one, other, isSame) => {
    expect(isSameLogin(one, other)).toBe(isSame)
  })
})
