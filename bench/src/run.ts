import { join } from 'node:path'
import { startProduct } from '@partsbus/local-stack/running-product'
import { connectErp } from './erp.js'
import { benchGateway } from './gateway-hop.js'
import { benchImports } from './imports.js'
import type { Figure } from './measure.js'
import { benchMemory } from './memory.js'
import { benchProducts } from './products.js'
import { benchReaders } from './readers.js'
import { print, writeReport } from './report.js'
import { benchSearch } from './search.js'
import { benchStocks } from './stocks.js'
import { openYardstick } from './yardstick.js'

/*
 * npm run bench            all of them, and docs/benchmarks.md is written
 * npm run bench -- stocks  one of readers, products, stocks, gateway, memory, imports, search; only printed
 * BENCH_SCALE=0.02         a share of the full sizes of readers, imports and search
 */
type Bench = () => Promise<Figure[]>

const root = join(import.meta.dirname, '..', '..')
const wanted = process.argv[2]
const names = ['readers', 'products', 'stocks', 'gateway', 'memory', 'imports', 'search']
if (wanted !== undefined && !names.includes(wanted)) throw new Error(`There is no benchmark ${wanted}; there are ${names.join(', ')}`)

const figures: Figure[] = []
const run = async (benches: Record<string, Bench>): Promise<void> => {
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted !== undefined && wanted !== name) continue
    console.log(`${name} …`)
    const found = await bench()
    print(found)
    figures.push(...found)
  }
}

// alone on the machine
await run({ readers: benchReaders })
if (wanted === 'readers') process.exit()

const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
try {
  const erp = await connectErp(product)
  const database = product.processes('mongodb')[0] ?? product.processes('ferretdb')[0]
  const databaseUrl = `mongodb://127.0.0.1:${database?.port}/`
  const yardstick = await openYardstick(databaseUrl)
  await run({
    products: () => benchProducts(erp, yardstick),
    stocks: () => benchStocks(erp, yardstick),
    gateway: () => benchGateway(product, erp),
    memory: () => benchMemory(product, erp),
    imports: () => benchImports(product, erp, databaseUrl),
    search: () => benchSearch(product, erp, databaseUrl),
  })
  if (wanted === undefined) writeReport(join(root, 'docs', 'benchmarks.md'), figures, `database: ${database?.name}`)
  await yardstick.close()
  erp.close()
} finally {
  await product.stop()
}
