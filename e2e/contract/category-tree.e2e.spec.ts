import { describe, expect, it } from '@jest/globals'
import { type UpsertResult } from '../testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { useShop } from '../testing/contract-product.js'

const CYCLE = 'Category parent would form a cycle.'
const missing = (id: string) => `Parent category with id_erp=${id} not found.`

const open = useShop()

const upsert = async (items: Record<string, unknown>[]) => {
  const answer = await open().erp.post<UpsertResult>(
    '/categories/batch-upsert',
    items.map((item) => ({ name: item.id_erp, ...item })),
  )
  expect(answer.status).toBe(200)
  return answer.body
}
const idOf = async (erpId: string) => (await open().categoryOf(erpId)).id
const parentOf = async (erpId: string) => (await open().categoryOf(erpId)).parent_id

describe('the tree', () => {
  it('links a parent that comes later in the same batch (second pass) (bad-inputs.md#input-24)', async () => {
    expect(await upsert([{ id_erp: 't-child', parent_id_erp: 't-root' }, { id_erp: 't-root' }])).toEqual({
      processed: 2,
      created: 2,
      updated: 0,
      errors: [],
    })
    expect(await parentOf('t-child')).toBe(await idOf('t-root'))
  })

  // erp.md#categories-4
  it('keeps the parent when the field is absent, and makes a root of null', async () => {
    await upsert([{ id_erp: 't-child' }])
    expect(await parentOf('t-child')).toBe(await idOf('t-root'))
    await upsert([{ id_erp: 't-child', parent_id_erp: null }])
    expect(await parentOf('t-child')).toBeNull()
  })

  // erp.md#categories-5
  it('reports an unknown parent, still counts the item, and keeps the old parent (erp.md#batch-errors)', async () => {
    await upsert([{ id_erp: 't-kept', parent_id_erp: 't-root' }])
    expect(
      await upsert([
        { id_erp: 't-kept', parent_id_erp: 't-nobody', description: 'written' },
        { id_erp: 't-new', parent_id_erp: 't-nobody-2' },
      ]),
    ).toEqual({
      processed: 2,
      created: 1,
      updated: 1,
      errors: [
        { id_erp: 't-kept', message: missing('t-nobody') },
        { id_erp: 't-new', message: missing('t-nobody-2') },
      ],
    })
    expect(await open().categoryOf('t-kept')).toMatchObject({
      parent_id: await idOf('t-root'),
      description: 'written',
    })
  })

  // erp.md#categories-5
  it('links as soon as the parent arrives in a later batch', async () => {
    expect(await upsert([{ id_erp: 't-nobody' }, { id_erp: 't-nobody-2' }])).toMatchObject({ created: 2, errors: [] })
    const [one, two] = [await idOf('t-nobody'), await idOf('t-nobody-2')]
    expect(
      await waitFor(
        () => parentOf('t-kept'),
        (id) => id === one,
        3_000,
      ),
    ).toBe(one)
    expect(
      await waitFor(
        () => parentOf('t-new'),
        (id) => id === two,
        3_000,
      ),
    ).toBe(two)
  })

  it('drops a pending parent when the child is sent again with another', async () => {
    await upsert([{ id_erp: 't-fickle', parent_id_erp: 't-late-a' }])
    await upsert([{ id_erp: 't-fickle', parent_id_erp: 't-root' }])
    await upsert([{ id_erp: 't-fickle-2', parent_id_erp: 't-late-a' }])
    await upsert([{ id_erp: 't-fickle-2', parent_id_erp: null }])
    await upsert([{ id_erp: 't-late-a' }])
    expect(await parentOf('t-fickle')).toBe(await idOf('t-root'))
    expect(await parentOf('t-fickle-2')).toBeNull()
  })

  it('keeps a pending parent over an upsert without the field', async () => {
    await upsert([{ id_erp: 't-patient', parent_id_erp: 't-late-b' }])
    await upsert([{ id_erp: 't-patient', description: 'again' }])
    await upsert([{ id_erp: 't-late-b' }])
    const id = await idOf('t-late-b')
    await waitFor(
      () => parentOf('t-patient'),
      (parent) => parent === id,
      3_000,
    )
  })

  // erp.md#categories-6
  it('does not make a category its own parent', async () => {
    expect(await upsert([{ id_erp: 't-self', parent_id_erp: 't-self' }])).toEqual({
      processed: 1,
      created: 1,
      updated: 0,
      errors: [{ id_erp: 't-self', message: CYCLE }],
    })
    expect(await parentOf('t-self')).toBeNull()
  })

  // erp.md#categories-6
  it('does not close a cycle within one batch (bad-inputs.md#input-23)', async () => {
    const result = await upsert([
      { id_erp: 't-a', parent_id_erp: 't-b' },
      { id_erp: 't-b', parent_id_erp: 't-a' },
    ])
    expect(result).toMatchObject({ processed: 2, created: 2 })
    expect(result.errors.map((error) => error.message)).toEqual([CYCLE])
    expect([await parentOf('t-a'), await parentOf('t-b')].filter((parent) => parent !== null)).toHaveLength(1)
  })

  // erp.md#categories-6
  it('does not close a cycle over several batches, and keeps the old parent', async () => {
    await upsert([
      { id_erp: 't-1' },
      { id_erp: 't-2', parent_id_erp: 't-1' },
      { id_erp: 't-3', parent_id_erp: 't-2' },
      { id_erp: 't-0' },
    ])
    await upsert([{ id_erp: 't-1', parent_id_erp: 't-0' }])
    expect(await upsert([{ id_erp: 't-1', parent_id_erp: 't-3', description: 'saved' }])).toEqual({
      processed: 1,
      created: 0,
      updated: 1,
      errors: [{ id_erp: 't-1', message: CYCLE }],
    })
    expect(await open().categoryOf('t-1')).toMatchObject({ parent_id: await idOf('t-0'), description: 'saved' })
  })

  it('reverses a branch in one batch, because only cycles at its end count', async () => {
    await upsert([{ id_erp: 't-top' }, { id_erp: 't-low', parent_id_erp: 't-top' }])
    const result = await upsert([
      { id_erp: 't-low', parent_id_erp: null },
      { id_erp: 't-top', parent_id_erp: 't-low' },
    ])
    expect(result.errors).toEqual([])
    expect([await parentOf('t-low'), await parentOf('t-top')]).toEqual([null, await idOf('t-low')])
  })

  // erp.md#categories-6
  it('closes no cycle when a pending parent arrives', async () => {
    await upsert([{ id_erp: 't-w1', parent_id_erp: 't-w2' }])
    const result = await upsert([{ id_erp: 't-w2', parent_id_erp: 't-w1' }])
    const parents = await waitFor(
      async () => [await parentOf('t-w1'), await parentOf('t-w2')],
      (both) => both.some((parent) => parent !== null),
      5_000,
    )
    expect(parents.filter((parent) => parent !== null)).toHaveLength(1)
    expect(result).toMatchObject({ processed: 1, created: 1 })
  })
})
