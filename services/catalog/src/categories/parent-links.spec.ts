import type { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { expect, it } from '@jest/globals'
import type { CategoryStore, CategoryWriter } from './category-store.js'
import { ParentLinks } from './parent-links.js'

it('plans no parent any more once the lease was lost while they are written', async () => {
  const lost = new AbortController()
  const stored = new Map(
    ['a', 'b'].map((_id) => [_id, { _id, parent_erp_id: null, pending_parent_erp_id: null }] as const),
  )
  const categories = { findByErpIds: () => Promise.resolve(stored) } as unknown as CategoryStore
  const planned: unknown[] = []
  const writer = {
    write: (batch: { plan(key: string, doc: unknown): unknown }) => {
      planned.push(batch.plan('b', stored.get('b')))
      lost.abort(new Error('lost'))
      // another batch changed it in between
      planned.push(batch.plan('b', stored.get('b')))
      return Promise.resolve(new Map())
    },
  } as unknown as CategoryWriter
  const leases = {
    withLease: (_name: string, _options: unknown, work: (signal: AbortSignal) => Promise<unknown>) => work(lost.signal),
  } as unknown as LeaseStore
  const links = new ParentLinks(categories, writer, leases)
  await expect(links.setParents([{ child: 'b', parent: 'a' } as never])).rejects.toThrow('lost')
  expect(planned).toEqual([expect.objectContaining({ kind: 'update' })])
})
