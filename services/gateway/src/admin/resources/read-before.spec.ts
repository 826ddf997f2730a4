import { describe, expect, it } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import type { AdminContext } from '../admin-context.js'
import { readBefore } from './read-before.js'

const sources = [{ id: 1, kind: 'url', url: 'https://a.example/p?key=top', password: 'top', last_run: { task_id: 3 } }]
const replies: Record<string, object> = {
  'pricing-import.price-lists.get': { id: 7, name: 'North', markup_percent: 11, mode: 'merge', sources, revision: 4 },
  'supplier-search.brand-synonyms.get': { id: 3, canonical: 'DENSO', synonyms: ['ДЕНСО'], revision: 1 },
}

async function before(path: string, fields: readonly string[]) {
  const asked: string[] = []
  const request = async ({ subject }: { subject: string }): Promise<unknown> => {
    asked.push(subject)
    const reply = replies[subject]
    if (!reply) throw new AppError('UNAVAILABLE', 'away')
    return reply
  }
  const ctx = { calls: { request } } as unknown as AdminContext
  const settings = { call: {} } as Parameters<typeof readBefore>[3]
  return { found: await readBefore(ctx, path, { params: { id: 7 }, fields }, settings), asked }
}

describe('readBefore (admin.md#audit)', () => {
  it.each<[string, string[], object]>([
    ['PATCH /price-lists/:id', ['markup_percent'], { name: 'North', markup_percent: 11 }],
    ['DELETE /price-lists/:id', [], { name: 'North' }],
    ['PATCH /brand-synonyms/:id', ['synonyms'], { canonical: 'DENSO', synonyms: ['ДЕНСО'] }],
  ])('%s of %j', async (path, fields, expected) => {
    expect((await before(path, fields)).found).toEqual(expected)
  })

  it('holds neither secrets nor runs', async () => {
    expect((await before('PATCH /price-lists/:id', ['sources'])).found).toEqual({
      name: 'North',
      sources: [{ id: 1, kind: 'url', url: 'https://a.example/p?key=***', password: '***' }],
    })
  })

  it.each(['POST /price-lists', 'POST /price-lists/:id/rollback'])('asks nothing for %s', async (path) => {
    expect(await before(path, ['name'])).toEqual({ found: undefined, asked: [] })
  })

  it('is unknown where the service does not answer', async () => {
    expect(await before('DELETE /storages/:id', [])).toEqual({ found: undefined, asked: ['stock.storages.get'] })
  })
})
