import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runRecorded } from '@partsbus/operations/testing/recorded-command'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { useShop } from '../testing/contract-product.js'
import { ROOT } from '../testing/shop.js'

/** The command line against the product. */
const open = useShop()

const folder = mkdtempSync(join(tmpdir(), 'partsbus-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => {
  const { product, erpToken } = open()
  return runRecorded(args, { PARTSBUS_URL: product.url, ADMIN_TOKEN: product.adminToken, ERP_TOKEN: erpToken })
}

/** Runs with `--json`, and reads the result. */
const ask = async (...args: string[]) => {
  const { code, output, errors } = await run(...args, '--json')
  expect(errors).toBe('')
  return { code, answer: JSON.parse(output) }
}

function writeText(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

it('starts as a program', async () => {
  const args = ['run', '--silent', 'partsbus', '--', '--version']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT })
  expect(stdout).toMatch(/^partsbus \d+\.\d+\.\d+ \(/)
})

it('reads and changes settings', async () => {
  expect(await run('settings', 'set', 'erp_max_batch_items=7', 'admin_locale=ru', 'erp_rate_limit=null')).toMatchObject(
    {
      code: 0,
      output: '',
    },
  )
  expect(await run('settings', 'get', 'erp_max_batch_items')).toEqual({ code: 0, output: '7\n', errors: '' })
  expect(await run('settings', 'get', 'admin_locale')).toEqual({ code: 0, output: 'ru\n', errors: '' })
  expect(await ask('settings', 'set', 'erp_max_batch_items=1000', 'admin_locale=en')).toMatchObject({
    code: 0,
    answer: { erp_max_batch_items: 1000, admin_locale: 'en' },
  })
  const refused = await run('settings', 'set', 'erp_max_batch_items=0', '--json')
  expect(refused.code).toBe(2)
  expect(JSON.parse(refused.errors)).toMatchObject({
    error: { status: 422, errors: { erp_max_batch_items: ['The erp_max_batch_items must be at least 1.'] } },
  })
})

it('starts and ends maintenance', async () => {
  expect(await ask('maintenance', 'on', 'Backup.')).toEqual({ code: 0, answer: { maintenance: 'Backup.' } })
  expect((await run('settings', 'get', 'maintenance')).output).toBe('Backup.\n')
  expect((await run('maintenance', 'off')).code).toBe(0)
  expect((await run('settings', 'get', 'maintenance')).output).toBe('null\n')
})

it('doctor finds the servers of the product, with all indexes, counters and streams', async () => {
  const { product } = open()
  const env = { PARTSBUS_URL: product.url, ADMIN_TOKEN: product.adminToken, STATE_DIR: product.stateDir }
  const { output } = await runRecorded(['doctor', '--json'], env)
  const { findings, checked, schema_versions } = JSON.parse(output) as {
    findings: { code: string; message: string }[]
    checked: string[]
    schema_versions: Record<string, number>
  }
  expect(Object.keys(schema_versions)).toEqual(checked)
  for (const version of Object.values(schema_versions)) expect(version).toBeGreaterThan(0)
  expect(checked).toEqual(['administration', 'catalog', 'stock', 'pricing-import', 'supplier-search'])
  // specs that share the product leave references to what they deleted
  const structural =
    /^(check-failed|gateway|service|version|admin|database|schema|bus|stream|consumer|index|counter|secret-exp)/
  expect(findings.filter(({ code }) => structural.test(code))).toEqual([])
})

it('issues, lists and revokes tokens', async () => {
  const issued = await run('token', 'issue', 'b2b')
  const token = issued.output.trim()
  expect(token).toMatch(/^\S{20,}$/)
  expect((await run('token', 'list')).output).toContain(token.slice(-4))
  expect((await run('token', 'revoke', 'b2b')).code).toBe(0)
  expect((await ask('token', 'list')).answer).toMatchObject({ erp: { last4: open().erpToken.slice(-4) }, b2b: null })
  const overlapping = await ask('token', 'issue', 'erp', '--overlap', '60')
  expect(overlapping.answer).toMatchObject({ previous_valid_until: expect.any(String) })
})

it('pushes a file in batches, and names the lines that were not stored', async () => {
  const lines = ['P-1', 'P-2', 'P-3'].map((id) => JSON.stringify({ id_erp: `CLI-${id}`, name: `Filter ${id}` }))
  const path = writeText('products.ndjson', [lines[0], '{"id_erp": "CLI-X"}', ...lines.slice(1)].join('\n'))
  expect(await ask('erp', 'push', path, '--batch', '2')).toEqual({
    code: 2,
    answer: {
      items: 4,
      batches: 2,
      counts: { processed: 4, created: 3, updated: 0 },
      findings: [{ line: 2, id: 'CLI-X', level: 'rejected', code: 'required', message: 'The name field is required.' }],
      ignored: {},
      dry_run: false,
    },
  })
  const refused = await run('erp', 'push', path, '--error-policy', 'reject-batch')
  expect(refused.output).toContain('line 2 1.name rejected: The name field is required.')
  expect(refused.code).toBe(2)
  const stocks = writeText('stocks.ndjson', '{"product_id_erp": "CLI-P-1", "quantity": 4}\n')
  expect(await run('erp', 'push', stocks, '--to', 'stocks')).toMatchObject({ code: 0 })
  expect(await open().suppliesOf('CLI-P-1')).toMatchObject([{ quantity: 4 }])
})

describe('price lists', () => {
  let list: string
  beforeAll(async () => {
    const { admin } = open()
    const { body } = await admin.post<{ id: number }>('/storages', { name: 'Cli', supplier: { kind: 'price-list' } })
    const created = await run('list', 'create', 'Cli', '--storage', String(body.id), '--markup', '10')
    expect(created.errors).toBe('')
    list = created.output.trim()
  })

  it('previews, imports, lists versions and rolls back', async () => {
    const first = writeText(
      'first.csv',
      'Brand;Article;Name;Quantity;Price\nMAHLE;CLI 1;Filter;4;10\nMAHLE;;None;1;1\n',
    )
    const preview = await run('preview', first, '--list', list)
    expect(preview.output).toContain('2 rows, 1 importable, 1 skipped')
    const imported = await run('import', first, '--list', list, '--follow')
    expect(imported.output).toMatch(/^import \d+ completed: 1 imported, 1 skipped\n/)
    expect(imported.output).toMatch(/\n {2}row 3: .+ {2}MAHLE \|/)
    expect(imported.code).toBe(0)
    const second = writeText('second.csv', 'Brand;Article;Name;Quantity;Price\nMAHLE;CLI 2;Filter;4;10\n')
    expect(await ask('import', second, '--list', list, '--follow')).toMatchObject({
      code: 0,
      answer: { status: 'completed', imported_rows: 1, skipped: [] },
    })
    const isActive = async () =>
      (await ask('list', 'versions', list)).answer.map((version: { is_active: boolean }) => version.is_active)
    const before = await isActive()
    expect((await run('list', 'rollback', list)).code).toBe(0)
    expect(await isActive()).toEqual(before.toReversed())
  })

  it('exits with 2 when the import fails', async () => {
    const empty = writeText('empty.csv', 'Brand;Article;Name;Quantity;Price\nMAHLE;;None;1;1\n')
    const failed = await run('import', empty, '--list', list, '--follow')
    expect(failed.output).toMatch(/^import \d+ failed: 0 imported, 1 skipped\n/)
    expect(failed.code).toBe(2)
  })
})

it('seeds products, stock and a list, and keeps the ERP token that it is given', async () => {
  expect(await run('seed', '--products', '3', '--offers', '2')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^3 products with stock in storage \d+\n2 offers for price list \d+, import \d+\n$/),
  })
  expect(await open().productOf('SEED-2')).toMatchObject({ article: 'SEED-2', is_active: true })
  const { product } = open()
  const withoutToken = await runRecorded(['seed'], { PARTSBUS_URL: product.url, ADMIN_TOKEN: product.adminToken })
  expect(withoutToken).toMatchObject({ code: 2, errors: expect.stringContaining('Set ERP_TOKEN') })
})
