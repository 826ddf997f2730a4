import { join } from 'node:path'
import { startProduct } from '@partsbus/local-stack/running-product'
import { benchBatchHeaders } from './batch-headers.js'
import { measureCapacity } from './capacity.js'
import { check } from './check.js'
import { connectErp } from './erp.js'
import { benchGateway } from './gateway-hop.js'
import { benchImports } from './imports.js'
import type { Figure } from './measure.js'
import { benchMemory } from './memory.js'
import { benchMigrations } from './migrations.js'
import { benchPages } from './pages.js'
import { benchProducts } from './products.js'
import { measureOneRow } from './one-row.js'
import { runPeers } from './peers/run-peers.js'
import { profile } from './profile.js'
import { benchReaders } from './readers.js'
import { benchOverload } from './overload.js'
import { print, writeFigures } from './report.js'
import { benchSearch } from './search.js'
import { benchStocks } from './stocks.js'
import { openYardstick } from './yardstick.js'

/*
 * npm run bench                    all benchmarks
 * npm run bench -- stocks search   some of readers, overload, products, stocks, gateway, memory, imports,
 *                                  search, pages, migrations
 * BENCH_SCALE=0.02                 a share of the full sizes of readers, overload, imports, search and migrations
 * npm run bench -- --check         compares ratios at a reduced size with the recorded ones; fails when one fell
 * npm run bench -- profile         where the processor time goes, into docs/profile.md; BENCH_PROFILES=FOLDER keeps
 *                                  the CPU profiles
 * npm run bench -- peers           Medusa, Vendure, Directus and Partsbus with the same products, into docs/peers.md;
 *                                  BENCH_SECONDS limits each pass
 * npm run bench -- one-row [CHECKOUT…]  wall and processor time of lists of one row, in turn
 * npm run bench -- capacity        bytes, memory and processor time for each item, into docs/capacity.md
 * Each prints its figures and writes them into its table of docs/benchmarks.md.
 */
type Bench = () => Promise<Figure[]>

const root = join(import.meta.dirname, '..', '..')
const names = [
  'readers',
  'overload',
  'products',
  'stocks',
  'gateway',
  'memory',
  'imports',
  'search',
  'pages',
  'migrations',
]
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names
const ownPages: Record<string, () => Promise<void>> = {
  '--check': () => check(root),
  capacity: () => measureCapacity(root),
  'one-row': () => measureOneRow(wanted.length > 1 ? wanted.slice(1) : [root]),
  peers: () => runPeers(root, wanted.slice(1)),
  profile: () => profile(root),
}
const ownPage = ownPages[wanted[0] ?? '']
if (ownPage) {
  await ownPage()
  process.exit()
}
const unknown = wanted.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}; there are ${names.join(', ')}`)

const run = async (benches: Record<string, Bench>, how: string): Promise<void> => {
  for (const [name, bench] of Object.entries(benches)) {
    if (!wanted.includes(name)) continue
    console.log(`${name} …`)
    const figures = await bench()
    print(figures)
    writeFigures(join(root, 'docs', 'benchmarks.md'), name, figures, how)
  }
}

// these run before the product starts: without it, or with one of their own
await run({ readers: () => benchReaders() }, 'no database')
await run({ overload: () => benchOverload(root) }, 'two replicas of every service')
if (wanted.every((name) => name === 'readers' || name === 'overload')) process.exit()

const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
try {
  const erp = await connectErp(product)
  const database = product.processes('mongodb')[0] ?? product.processes('ferretdb')[0]
  const databaseUrl = product.databaseUrl() ?? ''
  const yardstick = await openYardstick(databaseUrl)
  await run(
    {
      products: () => benchProducts(erp, yardstick),
      stocks: () => benchStocks(erp, yardstick),
      gateway: async () => [...(await benchGateway(product, erp)), ...(await benchBatchHeaders(product, erp))],
      memory: () => benchMemory(product, erp),
      imports: () => benchImports(product, erp, databaseUrl),
      search: () => benchSearch(product, erp, databaseUrl),
      pages: () => benchPages(product),
      migrations: () => benchMigrations(erp, databaseUrl),
    },
    `database: ${database?.name}`,
  )
  await yardstick.close()
  erp.close()
} finally {
  await product.stop()
}
