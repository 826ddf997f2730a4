import { describe, expect, it } from '@jest/globals'
import { isOtherAddress, NEW_STORAGE, readStorage, toStorageDraft } from './storage-draft.js'

const http = {
  id: 1,
  name: 'Berg',
  is_active: true,
  supplier: {
    kind: 'http' as const,
    base_url: 'https://api.berg.example/v2',
    headers: { authorization: '***' },
    timeout_ms: 4_000,
  },
}
const draft = toStorageDraft(http)

describe('the supplier of a storage', () => {
  it('keeps its secrets and its numbers where nothing is changed', () => {
    expect(readStorage(draft)).toEqual({
      invalid: [],
      body: {
        name: 'Berg',
        is_active: true,
        supplier: {
          kind: 'http',
          base_url: 'https://api.berg.example/v2',
          dialect: 'standard',
          timeout_ms: 4_000,
          headers: { authorization: '***' },
        },
      },
    })
  })

  it('leaves out a header that was removed, or has no name', () => {
    const headers = [
      { name: 'authorization', value: undefined },
      { name: ' ', value: 'x' },
    ]
    expect(readStorage({ ...draft, headers }).body.supplier).toMatchObject({ headers: {} })
  })

  it('names the numbers that cannot be read', () => {
    expect(readStorage({ ...draft, timeout_ms: 'soon' }).invalid).toEqual(['timeout_ms'])
  })

  it('has another address where the host, the scheme or the port is another one', () => {
    const moved = (base_url: string) => isOtherAddress(draft, { ...draft, base_url })
    expect(
      ['https://api.berg.example/v3', 'https://api.berg.example:444/v2', 'http://api.berg.example/v2'].map(moved),
    ).toEqual([false, true, true])
    expect(isOtherAddress(NEW_STORAGE, draft)).toBe(false)
  })
})
