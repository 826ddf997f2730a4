import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commands } from './commands.js'
import { runRecorded } from './testing/recorded-terminal.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A port on which nothing can listen. */
const NOWHERE = { PARTSBUS_URL: 'http://127.0.0.1:0', ADMIN_TOKEN: 'x'.repeat(24), STATE_DIR: folder }

function writeLines(name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

describe('usage', () => {
  it('lists every command', async () => {
    const { code, output } = await runRecorded(['--help'])
    expect(code).toBe(0)
    for (const name of commands.keys()) expect(output).toContain(`  ${name}`)
  })

  it.each([
    [[], 1],
    [['token', '--help'], 1],
    [['token', 'issue', '--help'], 0],
    [['--version'], 0],
  ])('%j exits with %i', async (args, code) => {
    expect((await runRecorded(args)).code).toBe(code)
  })

  it.each([
    [['tokens'], 'Unknown command: tokens.'],
    [['token', 'make'], 'There are token issue, token list, token revoke.'],
    [['token', 'issue'], 'An argument is missing.'],
    [['token', 'issue', 'shop'], 'The API must be erp or b2b, not "shop".'],
    [['token', 'issue', 'erp', 'b2b'], 'Unexpected argument: b2b'],
    [['token', 'issue', 'b2b', '--overlap', '5'], '--overlap is for the ERP token only.'],
    [['import', 'price.csv'], '--list is missing.'],
    [['import', 'price.csv', '--list', 'one'], '--list must be an integer from 1 on, not "one".'],
    [['import', '/nowhere/price.csv', '--list', '1'], '/nowhere/price.csv cannot be read (ENOENT).'],
    [['preview', 'price.csv', '--lists', '1'], 'Unknown option --lists. There are --list, --json, --help.'],
    [['preview', 'price.csv', '--list'], '--list needs a value.'],
    [['list', 'create', 'x', '--json=yes'], '--json takes no value.'],
    [['settings', 'set', 'erp_enabled'], 'Write NAME=VALUE instead of "erp_enabled".'],
    [['backup', 'x'], 'partsbus backup needs the servers of Partsbus. Run it in the image cli, or in a checkout.'],
    [['erp', 'push', 'x', '--to', 'orders'], '--to must be products or categories or stocks or prices, not "orders".'],
    [['erp', 'push', 'x', '--to', 'stocks', '--update-mode', 'replace'], '--update-mode is for products only.'],
    [['erp', 'push', 'x', '--to', 'prices', '--full-sync', 'a'], '--full-sync is for products and categories only.'],
  ])('%j is a usage error', async (args, text) => {
    const { code, output, errors } = await runRecorded(args, NOWHERE)
    expect(errors).toContain(text)
    expect({ code, output }).toEqual({ code: 1, output: '' })
  })

  it('names the missing token', async () => {
    expect(await runRecorded(['token', 'list'], { STATE_DIR: folder })).toEqual({
      code: 1,
      output: '',
      errors: 'The admin token is missing. Set ADMIN_TOKEN or ADMIN_TOKEN_FILE.\n',
    })
  })

  it('reads the admin token from a file', async () => {
    const { errors } = await runRecorded(['token', 'list'], { ADMIN_TOKEN_FILE: '/nowhere/token' })
    expect(errors).toBe('ADMIN_TOKEN_FILE names /nowhere/token, which cannot be read.\n')
  })
})

it('exits with 3 when the gateway does not answer', async () => {
  const { code, errors } = await runRecorded(['settings', 'get', '--json'], NOWHERE)
  expect(code).toBe(3)
  expect(JSON.parse(errors)).toEqual({
    error: { message: expect.stringMatching(/^The gateway did not answer: .+ Start it, or set PARTSBUS_URL\.$/) },
  })
})

describe('erp push --dry-run', () => {
  it('names each invalid line, and sends nothing', async () => {
    const path = writeLines('products.ndjson', [
      '{"id_erp": "P-1", "name": "Oil filter"}',
      '',
      '{"id_erp": "P-2"}',
      '7',
      '{"id_erp": "P-3", "name": "Air filter"}',
    ])
    const { code, output } = await runRecorded(['erp', 'push', path, '--dry-run', '--batch', '2', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(output)).toEqual({
      items: 4,
      batches: 2,
      counts: {},
      findings: [
        { line: 3, id: 'P-2', level: 'rejected', message: 'The name field is required.' },
        { line: 4, id: '', level: 'rejected', message: 'The item must be an object.' },
      ],
      ignored: {},
      dry_run: true,
    })
  })

  it('exits with 0 when every line is valid', async () => {
    const path = writeLines('prices.ndjson', ['\uFEFF{"product_id_erp": "P-1", "selling_price": 10}'])
    expect(await runRecorded(['erp', 'push', path, '--to', 'prices', '--dry-run'])).toEqual({
      code: 0,
      output: '1 item in 1 batch: nothing sent, 0 invalid\n',
      errors: '',
    })
  })

  it('names the line that is not JSON', async () => {
    const path = writeLines('broken.ndjson', ['{"id_erp": "P-1", "name": "Oil filter"}', '{"id_erp": '])
    const { code, errors } = await runRecorded(['erp', 'push', path, '--dry-run'])
    expect(code).toBe(2)
    expect(errors).toContain(`${path}:2 is not JSON`)
  })
})
