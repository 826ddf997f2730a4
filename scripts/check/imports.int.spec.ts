import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** rule, file, an import that breaks it, one that is allowed there */
const CASES: [rule: string, path: string, wrong: string, right: string][] = [
  [
    'service-imports-service',
    'services/catalog/src/a.ts',
    `import { a } from '@partsbus/stock/supply'`,
    `import { a } from '@partsbus/contracts/stock/commands'`,
  ],
  [
    'service-imports-service',
    'services/catalog/src/b.ts',
    `const a = await import('@partsbus/stock/supply')`,
    `const a = '@partsbus/stock/supply'`,
  ],
  [
    'service-imports-service',
    'services/catalog/src/c.int.spec.ts',
    `export * from '@partsbus/stock/supply'`,
    `// export * from '@partsbus/stock/supply'`,
  ],
  [
    'relative-import-leaves-package',
    'services/catalog/src/d.ts',
    `import '../../../packages/contracts/src/leaf.js'`,
    `import './leaf.js'`,
  ],
  [
    'root-imports-package-by-path',
    'e2e/a.e2e.spec.ts',
    `import { a } from '../services/stock/src/leaf.js'`,
    `import { a } from '../bench/src/leaf.js'`,
  ],
  [
    'platform-imports-workspace',
    'packages/platform/src/a.ts',
    `import type { A } from '@partsbus/local-stack/start'`,
    `import type { A } from '@partsbus/contracts/app-error'`,
  ],
  [
    'gateway-without-database',
    'services/gateway/src/a.ts',
    `import type { Db } from 'mongodb'`,
    `import type { A } from '@partsbus/platform/process/start-process'`,
  ],
  [
    'contracts-import',
    'packages/contracts/src/a.ts',
    `import type { Db } from 'mongodb'`,
    `import { z } from 'zod'\nimport './leaf.js'`,
  ],
  [
    'contracts-import',
    'packages/contracts/src/b.ts',
    `import { randomUUID } from 'node:crypto'`,
    `import * as core from 'zod/v4/core'`,
  ],
  [
    'client-import',
    'packages/client/src/a.ts',
    `import { adminRows } from '@partsbus/contracts/admin'`,
    `import type { AdminPath } from '@partsbus/contracts/admin'`,
  ],
  [
    'published-package-import',
    'packages/client/src/b.ts',
    `import type { AdminPath } from '@partsbus/contracts/nowhere'`,
    `import type { AdminPath } from '@partsbus/contracts/admin'`,
  ],
  [
    'published-package-import',
    'packages/cli/src/a.ts',
    `import { createTransport } from '@partsbus/client/nowhere'`,
    `import type { C } from '@partsbus/client/admin-client'\nimport { erpRows } from '@partsbus/contracts/erp'`,
  ],
  [
    'price-file-import',
    'packages/price-file/src/a.ts',
    `import http from 'node:http'`,
    `import { createReadStream } from 'node:fs'`,
  ],
  [
    'price-file-import',
    'packages/price-file/src/b.ts',
    `import { log } from '@partsbus/platform/nowhere'`,
    `import './leaf.js'`,
  ],
  [
    'test-kit-import',
    'services/stock/src/f.ts',
    `import { png } from '@partsbus/test-kit/nowhere'`,
    `import './leaf.js'`,
  ],
  [
    'nest-import',
    'services/stock/src/a.ts',
    `import { NestFactory } from '@nestjs/core'`,
    `import { Injectable } from '@nestjs/common'`,
  ],
  ['nest-in-package', 'packages/local-stack/src/a.ts', `import { Injectable } from '@nestjs/common'`, ''],
  ['mongodb-import', 'services/stock/src/b.ts', `import type { Db } from 'mongodb'`, `import './leaf.js'`],
  ['zod-import', 'services/stock/src/c.ts', `import { z } from 'zod'`, `import type { z } from 'zod'`],
  ['pages-kit-import', 'apps/admin/src/ui/a.ts', `import '../overview/leaf.js'`, `import '../calls/leaf.js'`],
  ['pages-calls-import', 'apps/admin/src/calls/a.ts', `import '../ui/leaf.js'`, `import '../browser/leaf.js'`],
  ['pages-texts-import', 'apps/admin/src/texts/a.ts', `import '../shell/leaf.js'`, `import '../browser/leaf.js'`],
  [
    'no-cycles',
    'services/stock/src/d.ts',
    `import type { E } from './e.js'\nexport type D = E`,
    `import type { L } from './leaf.js'\nexport type D = L`,
  ],
]

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'partsbus-imports-'))
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'services/stock'), { recursive: true })
  symlinkSync(join(checkout, 'services/stock/node_modules'), join(root, 'services/stock/node_modules'))
  cpSync(join(checkout, '.dependency-cruiser.mjs'), join(root, '.dependency-cruiser.mjs'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), `${text}\n`)
}

/** Every file with one of its two imports; which rule each violates. */
function violations(pick: 'wrong' | 'right'): string[] {
  for (const folder of ['services/stock', 'services/catalog', 'packages/contracts', 'packages/price-file'])
    write(`${folder}/src/leaf.ts`, 'export type L = 1')
  for (const folder of ['browser', 'calls', 'overview', 'shell', 'ui'])
    write(`apps/admin/src/${folder}/leaf.ts`, 'export const a = 1')
  write('bench/src/leaf.ts', 'export const a = 1')
  write('services/stock/src/e.ts', `import type { D } from './d.js'\nexport type E = D | 1`)
  for (const [, path, wrong, right] of CASES) write(path, pick === 'wrong' ? wrong : right)
  const { stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'services', 'packages', 'apps', 'e2e', 'bench'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } }
  return [...new Set(summary.violations.map(({ from, rule }) => `${rule.name} ${from}`))].toSorted()
}

it('reports each forbidden import by its rule', () => {
  const expected = CASES.map(([rule, path]) => `${rule} ${path}`)
  expect(violations('wrong')).toEqual(expect.arrayContaining(expected))
})

it('reports none of the allowed imports', () => {
  expect(violations('right')).toEqual([])
})
