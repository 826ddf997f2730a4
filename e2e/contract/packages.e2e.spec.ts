import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPackages } from '../../scripts/packages/install-packages.mjs'
import { packPackages } from '../../scripts/packages/pack-packages.mjs'
import { usePartner } from '../testing/contract-product.js'
import { ROOT } from '../testing/shop.js'

/** The packages against the product, as they are installed from their tarballs outside of the checkout. */
const open = usePartner()

const folder = mkdtempSync(join(tmpdir(), 'partsbus-packages-'))
const project = join(folder, 'project')

beforeAll(async () => {
  mkdirSync(project)
  await installPackages(ROOT, await packPackages(ROOT, join(folder, 'packed')), project)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a program of the project, with the variables of the product. */
function run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { shop, token } = open()
  const { url, adminToken } = shop.product
  const variables = { PARTSBUS_URL: url, ADMIN_TOKEN: adminToken, ERP_TOKEN: shop.erpToken, B2B_TOKEN: token }
  const env = { PATH: process.env.PATH, FOLDER: folder, ...variables }
  return promisify(execFile)(program, args, { cwd: project, env })
}

const partsbus = (...args: string[]) => run(join(project, 'node_modules', '.bin', 'partsbus'), ...args)

it('a program with the installed client sends, uploads, searches and reads files', async () => {
  const { stdout } = await run(process.execPath, 'use.ts')
  expect(JSON.parse(stdout)).toEqual({
    invalid: 'The name field is required.',
    created: 3,
    rows: 2,
    imported: 1,
    parts: 0,
    unauthorized: 401,
    quantity: 4,
    level: 'failed',
    roles: 4,
    calls: 5,
    names: ['PriceFileError', 'ReaderProcess', 'serveParent'],
  })
})

it('what is internal cannot be imported', async () => {
  for (const name of ['contracts/http/erp', 'contracts/app-error', 'client/transport', 'price-file/split-rows']) {
    const failed = run(process.execPath, '-e', `import('@partsbus/${name}')`)
    await expect(failed).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
  }
})

it('the installed command line pushes and imports, and says what it cannot do', async () => {
  expect((await partsbus('--version')).stdout).toMatch(/^partsbus \d+\.\d+\.\d+\n$/)
  const items = join(folder, 'products.ndjson')
  writeFileSync(items, ['A', 'B', 'C'].map((id) => JSON.stringify({ id_erp: `PACKED-${id}`, name: id })).join('\n'))
  expect((await partsbus('erp', 'push', items, '--batch', '2')).stdout).toMatch(/^3 items in 2 batches: .*3 created/)
  expect((await open().shop.productOf('PACKED-C')).name).toBe('C')
  const { id } = await open().newList()
  const list = join(folder, 'list.csv')
  writeFileSync(list, 'Brand;Article;Name;Quantity;Price\nMAHLE;PACKED 1;Filter;4;10\n')
  const imported = await partsbus('import', list, '--list', String(id), '--follow')
  expect(imported.stdout).toMatch(/^import \d+ completed: 1 imported, 0 skipped\n/)
  await expect(partsbus('doctor')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('partsbus doctor needs the servers'),
  })
})
