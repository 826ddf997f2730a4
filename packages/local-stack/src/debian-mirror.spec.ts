import { describe, expect, it } from '@jest/globals'
import { parseMirror } from './debian-mirror.ts'

describe('parseMirror', () => {
  it.each([
    ['one line', 'deb http://mirror.example/debian bookworm main contrib', 'http://mirror.example/debian'],
    [
      'one line with options',
      'deb [arch=amd64 signed-by=/k.gpg] https://mirror.example/debian/ trixie main',
      'https://mirror.example/debian/',
    ],
    [
      'stanza',
      'Types: deb\n# a comment\nURIs: http://mirror.example/debian\nSuites: trixie trixie-updates\nComponents: main\n',
      'http://mirror.example/debian',
    ],
    ['only the security archive', 'deb http://mirror.example/debian-security bookworm-security main', undefined],
    ['commented out', '# deb http://mirror.example/debian bookworm main', undefined],
    ["a vendor's packages", 'deb https://download.example/linux/debian bookworm stable', undefined],
    ["a vendor's suite", 'deb https://repo.example/apt/debian bookworm/server/8.0 main', undefined],
    ['nothing', '', undefined],
  ])('%s', (_, text, mirror) => {
    expect(parseMirror(text)).toBe(mirror)
  })

  it('prefers the archive with updates, regardless of the order', () => {
    const text =
      'deb https://vendor.example/debian bookworm main\n\n' +
      'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main'
    expect(parseMirror(text)).toBe('http://mirror.example/debian')
  })
})
