import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { usePartner, useShop } from '../testing/contract-product.js'

interface Sample {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  status: number
  body: string
}

/** The fenced samples of a guide: method, path, and either a header or the status other than 200. */
function samples(page: string): Sample[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```json (GET|POST) (\S+)(?: ([\w-]+): (\S+))?(?: (\d{3}))?\n([\s\S]*?)```$/gm)].map(
    ([, method, path = '', name, value = '', status = '200', body = '']) => ({
      method: method as Sample['method'],
      path,
      headers: name ? { [name.toLowerCase()]: value } : {},
      status: Number(status),
      body,
    }),
  )
}

describe('the samples of docs/erp.md', () => {
  const open = useShop()
  beforeAll(() => open().set({ media_wait_ms: 0 }))

  it('are accepted in their order and do what the guide says', async () => {
    const list = samples('erp.md')
    expect(list.map(({ path }) => path)).toEqual([
      '/ping',
      '/categories/batch-upsert',
      '/products/batch-upsert',
      '/stocks/batch-update',
      '/prices/batch-update',
      '/products/status',
      '/batches',
      '/products/batch-upsert',
      '/products/batch-upsert',
      '/products/delete',
    ])
    const answers = []
    for (const { method, path, headers, status, body } of list) {
      const request = method === 'GET' ? {} : { body, headers: { 'content-type': 'application/json', ...headers } }
      const answer = await open().erp.send<Record<string, unknown>>(method, path, request)
      expect([path, answer.status, answer.body.errors ?? []]).toEqual([path, status, []])
      answers.push(answer.body)
    }
    expect(answers[5]).toMatchObject({
      products: [
        { id_erp: 'guide-P-1', found: true, stock: { quantity: 4 }, prices: { selling_price: 24_900 } },
        { id_erp: 'guide-P-2', found: true, stock: null },
      ],
    })
    expect(answers[7]).toMatchObject({ details: { unchanged: 1, ignored_fields: { price: 1 } } })
    const moved = await open().productOf('guide-P-2')
    expect([moved.categories.map(({ erp_id }) => erp_id), moved.is_active]).toEqual([['guide-C-1'], false])
  })
})

describe('the samples of docs/partners.md', () => {
  const open = usePartner()

  it('are answered as the guide says', async () => {
    const list = samples('partners.md')
    expect(list).toHaveLength(4)
    for (const { path, status, body } of list) {
      const answer = await open().post(path, body, { 'content-type': 'application/json' })
      expect([path, answer.status]).toEqual([path, status])
    }
  })
})
