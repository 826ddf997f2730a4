import { describe, expect, it } from '@jest/globals'
import { mirrorIn } from './debian-mirror.js'

describe('the mirror is the one the machine itself uses', () => {
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
    ["somebody else's packages", 'deb https://download.example/linux/debian bookworm stable', undefined],
    ["somebody else's suite", 'deb https://repo.example/apt/debian bookworm/server/8.0 main', undefined],
    ['nothing', '', undefined],
  ])('%s', (_, text, mirror) => {
    expect(mirrorIn(text)).toBe(mirror)
  })

  it('prefers the archive that carries updates, wherever it stands', () => {
    const text =
      'deb https://vendor.example/debian bookworm main\n\nTypes: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main'
    expect(mirrorIn(text)).toBe('http://mirror.example/debian')
  })
})
