import { describe, expect, it } from '@jest/globals'
import { hideCredentials } from './shown-url.js'

describe('hideCredentials', () => {
  it.each([
    ['http://user:secret@host/x.png', 'http://***@host/x.png'],
    ['HTTPS://user@host:8080/x?y=1', 'HTTPS://***@host:8080/x?y=1'],
    ['http://us@er:se@cret@host/', 'http://***@host/'],
    ['http:\\\\user:secret@host\\x', 'http:\\\\***@host\\x'],
    [' http:user:secret@host', ' http:***@host'],
    ['http://host/mail@example', 'http://host/mail@example'],
    ['http://host?to=a@b', 'http://host?to=a@b'],
    ['no url', 'no url'],
  ])('%j is shown as %j', (url, shown) => {
    expect(hideCredentials(url)).toBe(shown)
  })
})
