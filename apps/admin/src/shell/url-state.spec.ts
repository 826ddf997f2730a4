import { describe, expect, it } from '@jest/globals'
import { choice, count, day, flag, many, parseSearch, stringifySearch, text, urlState } from './url-state.js'

const codec = urlState({
  q: text(),
  page: count(1),
  status: many(['failed', 'completed']),
  kind: choice(['http', 'own-stock']),
  problem: flag(),
  from: day(),
})
const initial = { q: '', page: 1, status: [], kind: undefined, problem: false, from: undefined }
const read = (search: string) => codec.validateSearch(parseSearch(search) as never)
const [strip] = codec.search.middlewares
const write = (state: object) =>
  stringifySearch(strip?.({ search: state as never, next: (search) => search }) as Record<string, unknown>)

describe('urlState', () => {
  it('reads the initial state from an empty search', () => {
    expect(read('')).toEqual(initial)
  })

  it.each(['?page=0', '?page=x', '?page=1.5', '?kind=ftp', '?from=yesterday', '?status=lost', '?problem=maybe'])(
    'reads the initial value where %s cannot be read',
    (search) => {
      expect(read(search)).toEqual(initial)
    },
  )

  it('restores what it wrote', () => {
    const state = {
      ...initial,
      q: 'oc 1051 & co',
      page: 3,
      status: ['failed', 'completed'],
      problem: true,
      from: '2026-11-22',
    }
    expect(read(write(state))).toEqual(state)
  })

  it('leaves initial values out', () => {
    expect(write(initial)).toBe('')
    expect(write({ ...initial, page: 2 })).toBe('?page=2')
  })

  it('reads one value of several', () => {
    expect(read('?status=failed').status).toEqual(['failed'])
  })

  it('keeps a number that looks like one as text where text is meant', () => {
    expect(read('?q=007').q).toBe('007')
  })
})
