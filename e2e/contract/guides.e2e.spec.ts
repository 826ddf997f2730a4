import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { adminPaths } from '@partsbus/contracts/http/admin'
import { afterAll, describe, expect, it } from '@jest/globals'
import { usePartner, useShop } from '../testing/contract-product.js'

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0
const runs = hasCurl ? it : it.skip

/** The fenced blocks of a guide: `sh` for the samples that run, `bash` for those of an administrator. */
function blocks(page: string, language: 'sh' | 'bash'): string[] {
  const text = readFileSync(new URL(`../../docs/guides/${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, body = '']) =>
    name === language ? [body] : [],
  )
}

/** Runs the samples of a guide as a reader would, in one shell, with values of this product in the first one. */
async function runSamples(page: string, values: Record<string, string | number>): Promise<unknown[]> {
  const [first = '', ...rest] = blocks(page, 'sh')
  const setUp = first.replaceAll(/^(\w+)=.*$/gm, (_, name: string) => `${name}='${values[name]}'`)
  const folder = await mkdtemp(join(tmpdir(), 'partsbus-guide-'))
  try {
    const script = ['set -eu', setUp, ...rest].join('\n')
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 })
    return stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the samples of docs/guides/erp.md', () => {
  const open = useShop()
  afterAll(async () => {
    const { body } = await open().erp.post<{ id?: string; full_sync?: { id: string } }>('/full-sync')
    await open().erp.post(`/full-sync/${body.id ?? body.full_sync?.id}/cancel`)
  })

  runs('are accepted in their order and do what the guide says', async () => {
    const { product, erpToken } = open()
    const answers = await runSamples('erp.md', { BASE: product.url, TOKEN: erpToken })
    const written = { processed: expect.any(Number), updated: expect.any(Number), errors: [] }
    expect(answers).toMatchObject([
      { status: 'ok' },
      written,
      written,
      written,
      written,
      {
        products: [
          { id_erp: 'guide-P-1', stock: { quantity: 4 }, prices: { selling_price: 24_900 }, article: 'F-2-860' },
          { id_erp: 'guide-P-2', found: true, stock: null, category_ids_erp: ['guide-C-2'] },
        ],
      },
      { categories: [{ parent_id_erp: null }, { name: 'Входные двери', parent_id_erp: 'guide-C-1' }] },
      {
        batches: expect.arrayContaining([
          expect.objectContaining({
            request_id: 'load-2026-11-21-0001',
            counts: expect.objectContaining({ processed: 2 }),
          }),
        ]),
      },
      { ...written, details: { unchanged: 1, ignored_fields: { price: 1 } } },
      written,
      { requested: 1, deactivated: 1, not_found: [] },
      written,
      written,
      { ids_erp: expect.not.arrayContaining(['guide-P-1']) },
      // completed, or refused with the counts: the items of other specs were not sent
      expect.anything(),
      { id: expect.stringMatching(/^[0-9a-f]{24}$/) },
      expect.anything(),
    ])
    expect(Object.keys(answers[14] as object)).toEqual(
      expect.arrayContaining([(answers[15] as { status: string }).status === 'completed' ? 'deactivated' : 'counts']),
    )
    const moved = await open().productOf('guide-P-2')
    expect([moved.categories.map(({ erp_id }) => erp_id), moved.is_active]).toEqual([['guide-C-1'], false])
  })

  it('of an administrator name calls that exist', () => {
    const calls = blocks('erp.md', 'bash').flatMap((block) => [...block.matchAll(/^admin (\w+ \/\S+)/gm)])
    expect(calls.length).toBeGreaterThan(4)
    for (const [, call] of calls) expect(adminPaths).toContain(call)
  })
})

describe('the samples of docs/guides/partners.md', () => {
  const open = usePartner()

  runs('are answered as the guide says', async () => {
    const { id } = await open().newList()
    const { shop, token } = open()
    const answers = await runSamples('partners.md', { BASE: shop.product.url, TOKEN: token, LIST: id })
    const ok = { result: true, message: 'OK' }
    expect(answers).toMatchObject([ok, ok, ok, { ...ok, task: { price_list_id: id } }])
    const { task } = answers[3] as { task: { id: number } }
    await open().finish(task.id)
  })
})
