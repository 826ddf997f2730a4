import { describe, expect, it } from '@jest/globals'
import {
  addSource,
  isOtherLogin,
  newSource,
  readSource,
  readSources,
  removeSource,
  serverName,
  type Source,
  toSourceDrafts,
  withSavedKeys,
} from './source-draft.js'

const run = { is_active: true, every_minutes: 30, last_run: null }
const url: Source = { ...run, id: 3, kind: 'url', url: 'https://files.example/price.csv' }
const ftp: Source = {
  ...run,
  id: 7,
  kind: 'ftp',
  host: 'ftp.supplier.example',
  secure: false,
  username: 'buyer',
  password: '***',
  pattern: 'price*.zip',
}
const email: Source = { ...run, id: 4, kind: 'email', host: 'imap.example', port: 143, from: '*@supplier.example' }
const stored = toSourceDrafts([url, ftp, email])
const storedFtp = { ...newSource('ftp'), ...stored['stored-7'] }

describe('the sources of a list', () => {
  it('are sent as they are stored where nothing is changed, with the kept password and without the last run', () => {
    const sent = [url, ftp, email].map(({ last_run: _, ...source }) => source)
    expect(readSources(stored, stored)).toEqual({ body: { sources: sent }, invalid: [] })
  })

  it('have their stored keys after a save, and what was added meanwhile keeps its own', () => {
    const sent = addSource(toSourceDrafts([url]), 'ftp')
    const now = addSource(sent, 'email')
    const renamed = withSavedKeys(now, sent, toSourceDrafts([url, ftp]))
    expect(Object.keys(renamed)).toEqual(['stored-3', 'stored-7', 'new-2'])
    expect(renamed['stored-7']).toBe(now['new-1'])
  })

  it('leave out one that was removed', () => {
    const { sources } = readSources(removeSource(stored, 'stored-7'), stored).body
    expect(sources.map(({ id }) => id)).toEqual([3, 4])
  })

  it('have a new one without an id at the end, even after another new one was removed', () => {
    const two = addSource(addSource(stored, 'url'), 'email')
    const drafts = addSource(removeSource(two, 'new-1'), 'ftp')
    expect(readSources(drafts, stored).body.sources.slice(3)).toEqual([
      { kind: 'email', is_active: true, every_minutes: 60, host: '' },
      { kind: 'ftp', is_active: true, every_minutes: 60, host: '', secure: false },
    ])
  })

  it('cannot be sent while a number cannot be read', () => {
    const draft = { ...storedFtp, port: 'ftp', every_minutes: 'often' }
    expect(readSource(draft, storedFtp).invalid).toEqual(['every_minutes', 'port'])
    expect(readSources({ ...stored, 'stored-7': draft }, stored).invalid).toEqual([
      'stored-7.every_minutes',
      'stored-7.port',
    ])
  })
})

describe('the password of a source', () => {
  const sent = (password: string | undefined) => readSource({ ...storedFtp, password }, storedFtp).source.password

  it('is left out where it was removed', () => {
    expect(sent(undefined)).toBeUndefined()
  })

  it('is kept where nothing was typed in its place', () => {
    expect(sent('')).toBe('***')
  })

  it('is left out where nothing was typed and none is stored', () => {
    expect(readSource({ ...newSource('ftp'), password: '' }, undefined).source).not.toHaveProperty('password')
  })

  it('must be sent again for another server, port, encryption or user', () => {
    const changes = [{ host: 'ftp.other.example' }, { port: '2121' }, { secure: true }, { username: 'seller' }]
    expect(changes.map((part) => isOtherLogin(storedFtp, { ...storedFtp, ...part }))).toEqual([true, true, true, true])
  })

  it('stays for another file of the same server, however that is written', () => {
    const changes = [{ host: 'FTP.supplier.example ' }, { port: '21' }, { path: '/new' }, { pattern: '' }]
    expect(changes.map((part) => isOtherLogin(storedFtp, { ...storedFtp, ...part }))).toEqual(changes.map(() => false))
  })

  it('goes by the origin of a web address', () => {
    const before = { ...newSource('url'), url: 'https://files.example/price.csv' }
    const moved = (address: string) => isOtherLogin(before, { ...before, url: address })
    expect(
      ['https://files.example:443/b.csv', 'http://files.example/price.csv', 'https://files.example:444/'].map(moved),
    ).toEqual([false, true, true])
  })

  it('must be sent again for a source that is no longer stored', () => {
    expect(isOtherLogin(undefined, storedFtp)).toBe(true)
  })
})

describe('a source', () => {
  it('is named by its server', () => {
    const names = [{ ...newSource('url'), url: 'https://files.example:8080/a' }, storedFtp, newSource('email')]
    expect(names.map(serverName)).toEqual(['files.example:8080', 'ftp.supplier.example', ''])
  })

  it('that somebody else removed meanwhile and this person keeps is sent as a new one', () => {
    const kept = { ...toSourceDrafts([url]), 'stored-7': { ...storedFtp, path: '/mine' } }
    const { sources } = readSources(kept, toSourceDrafts([url])).body
    expect(sources).toMatchObject([{ id: 3 }, { kind: 'ftp', host: 'ftp.supplier.example', path: '/mine' }])
    expect(sources[1]).not.toHaveProperty('id')
  })
})
