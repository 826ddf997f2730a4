import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { ApiClient } from './testing/api-client.js'
import { expectAccepted, expectShown, runSamples, type Sample, samplesOf } from './testing/guide.js'
import { expectStatus, ROOT } from './testing/shop.js'

/*
 * The guides by the letter, in a new installation: each sample is run, and each answer that a guide shows is compared.
 * The Russian pages have the same blocks, which the check `translations` holds.
 */

jest.setTimeout(300_000)

const run = promisify(execFile)
const runs = spawnSync('curl', ['--version']).status === 0 ? it : it.skip
const extensions = spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? ''
const runsPhp = /^curl$/m.test(extensions) ? it : it.skip

let product: RunningProduct
let admin: ApiClient
const folder = mkdtempSync(join(tmpdir(), 'partsbus-programs-'))

beforeAll(async () => {
  product = await startProduct({ root: ROOT })
  admin = new ApiClient(`${product.url}/api/admin`, { authorization: `Bearer ${product.adminToken}` })
})
afterAll(async () => {
  admin?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const issueToken = async (api: 'erp' | 'b2b'): Promise<string> =>
  expectStatus(await admin.post<{ token: string }>(`/settings/${api}-token`), 200).body.token

/** Runs the samples of shells in order, and compares what is shown. @returns their outputs */
async function follow(samples: Sample[], values: Record<string, string | number>, start = ''): Promise<string[]> {
  const shells = samples.filter(({ language }) => language === 'sh' || language === 'bash')
  const outputs = await runSamples(shells, { BASE: product.url, ADMIN: product.adminToken, ...values }, start)
  expectShown(shells, outputs)
  return outputs
}

describe('docs/guides', () => {
  runs('erp.md: each sample is answered as shown', async () => {
    // the administrator's samples print the token that a reader pastes
    const [setUp, ...rest] = samplesOf('erp.md') as [Sample, ...Sample[]]
    expectAccepted([setUp], await follow([setUp], {}))
    const TOKEN = await issueToken('erp')
    const defined = setUp.code.slice(0, setUp.code.indexOf('\n\n'))
    const start = defined
      .replace(/^BASE=.*/m, `BASE='${product.url}'`)
      .replace(/^ADMIN=.*/m, `ADMIN='${product.adminToken}'`)
    expectAccepted(rest, await follow(rest, { TOKEN }, start))
    const { body } = await admin.get<{ categories: { erp_id: string }[]; is_active: boolean }>(
      '/products/by-erp-id/guide-P-3',
    )
    expect(body).toMatchObject({ categories: [], is_active: false })
  })

  describe('erp-programs.md', () => {
    const samples = samplesOf('erp-programs.md')
    const programOf = (language: string): Sample => {
      const found = samples.filter((sample) => sample.language === language)
      expect(found).toHaveLength(1)
      return found[0] as Sample
    }
    const environment = async () => ({ PARTSBUS_URL: product.url, ERP_TOKEN: await issueToken('erp') })

    runs('the command line prints what is shown', async () => {
      const { PARTSBUS_URL, ERP_TOKEN } = await environment()
      const start = `partsbus() { '${process.execPath}' '${join(ROOT, 'scripts', 'partsbus.mjs')}' "$@"; }`
      await follow(samples, { PARTSBUS_URL, ERP_TOKEN }, start)
    })

    it('the program in TypeScript compiles strictly, and prints what is shown', async () => {
      const program = programOf('ts')
      writeFileSync(join(folder, 'push.ts'), program.code)
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['push.ts'] }))
      const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
      const compiled = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)
      expect(compiled.stdout).toBe('')
      const env = { ...process.env, NODE_OPTIONS: '', ...(await environment()) }
      const { stdout } = await run(process.execPath, [join(folder, 'push.js')], { env })
      expectShown([program], [stdout])
    })

    runsPhp('the program in PHP prints what is shown (skipped without php and its extension curl)', async () => {
      const program = programOf('php')
      writeFileSync(join(folder, 'push.php'), program.code)
      const env = { ...process.env, ...(await environment()) }
      const { stdout } = await run('php', [join(folder, 'push.php')], { env })
      expectShown([program], [stdout])
    })
  })

  runs('partners.md: each sample is answered as shown', async () => {
    const point = { name: 'Shop', city: 'Riga', address: 'Brīvības iela 1', schedule: '9:00–18:00' }
    expectStatus(await admin.patch('/pick-up-points/1', point), 200)
    expectStatus(await admin.patch('/settings', { b2b_enabled: true }), 200)
    const makeList = async (name: string, more: object = {}) => {
      const body = { name, storage: { name }, in_search: true, ...more }
      return expectStatus(await admin.post<{ id: number }>('/price-lists', body), 201).body.id
    }
    const TOKEN = await issueToken('b2b')
    await importRows(TOKEN, await makeList('Supplier A', { delivery_days: 2 }), [
      'Бренд;Артикул;Наименование;Количество;Цена',
      'Claris;OC-1051;Фильтр масляный;>10;1 234,50 руб',
      'Mahle;OC1051;Oil filter;3;990',
    ])
    await follow(samplesOf('partners.md'), { TOKEN, LIST: await makeList('Supplier B') })
  })

  runs('price-lists.md: each sample is answered as shown, after the first session', async () => {
    // how to start another installation is no step of the session
    const session = samplesOf('first-session.md').filter(({ language }) => language === 'bash')
    expect(session).toHaveLength(1)
    const guide = samplesOf('price-lists.md')
    const outputs = await follow([...session, ...guide], {})
    // the session makes a mistake on purpose
    expectAccepted(guide, outputs.slice(1))
  })
})

async function importRows(token: string, list: number, rows: string[]): Promise<void> {
  const form = new FormData()
  form.append('id', String(list))
  form.append('document', new Blob([rows.join('\n')]), 'prices.csv')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${product.url}/api/b2b/upload-price-list`, { method: 'POST', headers, body: form })
  const { task_id } = (await answer.json()) as { task_id: number }
  // the stream ends with the import
  const events = await fetch(`${product.url}/api/admin/import-tasks/${task_id}/events`, {
    headers: { authorization: `Bearer ${product.adminToken}` },
  })
  expect(await events.text()).toContain('"status":"completed"')
}
