import { describe, expect, it } from '@jest/globals'
import { describeViolation, RULES } from './rules.mjs'

const named = (path: string, text: string, bytes = text.length) =>
  RULES.flatMap(({ check }) => check([{ path, text, bytes }])).map(({ rule }) => rule)

const STORE = 'services/catalog/src/product-store.ts'
const USE_CASE = 'services/catalog/src/upsert-products.ts'
const PLATFORM = 'packages/platform/src/bus-client.ts'
const CONTRACT = 'packages/contracts/src/catalog.ts'
const UNFINISHED = `${'TO'}${'DO'}`
const GHOST_TOKEN = `ghp_${'a1B2'.repeat(9)}`

/** rule, file, a text that violates it, a similar text that does not */
const CASES: [rule: string, path: string, wrong: string, right: string][] = [
  [
    'depends-on-service',
    'services/stock/package.json',
    `{"dependencies":{"@partsbus/catalog":"workspace:*"}}`,
    `{"dependencies":{"@partsbus/platform":"workspace:*"}}`,
  ],
  [
    'depends-beyond-border',
    'packages/contracts/package.json',
    `{"dependencies":{"pino":"10.4.0"}}`,
    `{"dependencies":{"zod":"4.6.7"}}`,
  ],
  [
    'depends-beyond-border',
    'packages/platform/package.json',
    `{"devDependencies":{"@partsbus/local-stack":"workspace:*"}}`,
    `{"devDependencies":{"pino":"10.4.0"}}`,
  ],
  [
    'depends-on-pages',
    'packages/platform/package.json',
    `{"dependencies":{"@partsbus/admin":"workspace:*"}}`,
    `{"dependencies":{"pino":"10.4.0"}}`,
  ],
  [
    'depends-beyond-border',
    'apps/admin/package.json',
    `{"dependencies":{"@partsbus/platform":"workspace:*"}}`,
    `{"devDependencies":{"@partsbus/contracts":"workspace:*"}}`,
  ],
  ['vague-name', 'apps/admin/src/ui/table-utils.tsx', '', ''],
  ['exact-version', 'package.json', `{"devDependencies":{"jest":"^30.5.2"}}`, `{"devDependencies":{"jest":"30.5.2"}}`],
  ['platform-knows-domain', PLATFORM, `const productIds = 1`, `const production = 1`],
  ['platform-knows-domain', PLATFORM, `// waits for the pick-up points`, `// picks up where it stopped`],
  [
    'platform-knows-domain',
    PLATFORM,
    `interface HTTPCategory {}`,
    `new AsyncLocalStorage()\nstreams.add({ storage: StorageType.File })`,
  ],
  ['platform-knows-domain', PLATFORM, `const price_lists = 1`, `const price = listed`],
  ['platform-knows-domain', 'packages/platform/src/image-guard.ts', '', ''],
  [
    'platform-knows-domain',
    PLATFORM,
    `const isErpBatch = 1`,
    `// shortened (erp.md#batch-fits)\nconst interpolated = 1`,
  ],
  ['subject-form', CONTRACT, `command('catalog.products', {})`, `command('catalog.products.upsert', {})`],
  [
    'subject-form',
    CONTRACT,
    `domainEvent('warehouse.goods.changed', Goods)`,
    `domainEvent('pricing-import.price-lists.changed', Goods)`,
  ],
  [
    'subject-twice',
    CONTRACT,
    `command('stock.supplies.find', {})\nbatchCommand('stock.supplies.find', {})`,
    `command('stock.supplies.find', {})\nbatchCommand('stock.supplies.patch', {})`,
  ],
  [
    'subject-place',
    USE_CASE,
    `bus.request('stock.supplies.find')`,
    `bus.request(findSupplies) // 'stock.supplies.find'`,
  ],
  ['subject-place', 'bench/src/direct.ts', 'nc.subscribe(`catalog.>`)', `read('catalog.json')`],
  ['subject-place', USE_CASE, `js.publish('jobs.catalog.media')`, `js.publish('jobs.media')`],
  ['no-index', 'packages/platform/src/index.ts', '', ''],
  ['vague-name', 'services/stock/src/string-utils.ts', '', ''],
  ['vague-name', 'services/stock/src/common/price.ts', '', ''],
  ['vague-name', USE_CASE, `class ProductManager {}`, `const manager = ctx.manager`],
  ['unfinished', USE_CASE, `// ${UNFINISHED} later`, `// ${UNFINISHED.toLowerCase()} list`],
  ['unfinished', 'docs/operate/configuration.md', `Import is ${'not'} implemented`, `Import is implemented`],
  ['unfinished', USE_CASE, `// @ts-${'ignore'}`, `// ts ignores it`],
  ['line-length', USE_CASE, `// ${'я'.repeat(118)}`, `// ${'я'.repeat(117)}`],
  ['front-page-length', 'README.md', 'a'.repeat(6_501), 'a'.repeat(6_500)],
  ['front-page-length', 'README.ru.md', 'я'.repeat(6_501), 'я'.repeat(6_500)],
  ['registry-host', '.npmrc', `registry=https://${'registry'}.npmjs.org/`, `engine-strict=true`],
  ['lockfile-host', 'pnpm-lock.yaml', `tarball: https://mirror.example/a.tgz`, `resolution: {integrity: sha512-abc}`],
  ['secret', 'README.md', GHOST_TOKEN, `ghp_short`],
  ['secret', 'deploy/key.pem', `-----BEGIN RSA ${'PRIVATE'} KEY-----`, `-----BEGIN CERTIFICATE-----`],
  [
    'secret',
    'docker-compose.yml',
    `URL: mongodb://catalog:letmein@mongo/catalog`,
    'URL: mongodb://catalog:${PASSWORD}@mongo/catalog',
  ],
  ['secret', USE_CASE, `const password = "correcthorse"`, 'const password = config.secret'],
  ['secret', USE_CASE, `const adminToken = 'Qh3l0s0bO3W7k1d2'`, `const exampleToken = 'Qh3l0s0bO3W7k1d2'`],
]

describe('the rules of the house', () => {
  it.each(CASES.filter(([, , wrong, right]) => wrong !== right))('%s names %s: %s', (rule, path, wrong) => {
    expect(named(path, wrong)).toContain(rule)
  })

  it.each(CASES.filter(([, , wrong, right]) => wrong !== right))(
    '%s leaves %s alone where it is right',
    (rule, path, _wrong, right) => {
      expect(named(path, right)).not.toContain(rule)
    },
  )

  it.each(CASES.filter(([, , wrong, right]) => wrong === right))('%s names the file %s by its path', (rule, path) => {
    expect(named(path, '')).toEqual([rule])
  })

  it('allows Nest in use cases and Mongo in stores', () => {
    expect(named(USE_CASE, `import { Controller } from '@nestjs/common'`)).toEqual([])
    expect(named('services/catalog/src/catalog.module.ts', `import { Module } from '@nestjs/common'`)).toEqual([])
    expect(named(STORE, `import type { Collection } from 'mongodb'`)).toEqual([])
    expect(named('services/catalog/src/context.ts', `import type { Db } from 'mongodb'`)).toEqual([])
    expect(named('services/catalog/src/config.ts', `import { z } from 'zod'`)).toEqual([])
  })

  it('measures the bytes of any tracked file', () => {
    expect(named('docs/diagram.png', '', 1_048_577)).toEqual(['file-size'])
    expect(named('docs/diagram.png', '', 1_048_576)).toEqual([])
  })

  it('finds a subject declared in two files', () => {
    const text = `export const a = command('stock.supplies.find', {})`
    const files = ['a', 'b'].map((name) => ({ path: `packages/contracts/src/${name}.ts`, text, bytes: text.length }))
    expect(RULES.flatMap(({ check }) => check(files)).map(describeViolation)).toEqual([
      `packages/contracts/src/b.ts:1  subject-twice  ` +
        `'stock.supplies.find' is declared in packages/contracts/src/a.ts too`,
    ])
  })
})
