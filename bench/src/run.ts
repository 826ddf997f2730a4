import { join } from 'node:path'
import { startProduct } from '@partsbus/local-stack/running-product'
import { connectErp } from './erp.js'
import { benchGateway } from './gateway-hop.js'
import type { Figure } from './measure.js'
import { benchMemory } from './memory.js'
import { benchProducts } from './products.js'
import { print, writeReport } from './report.js'
import { benchStocks } from './stocks.js'
import { openYardstick } from './yardstick.js'

/*
 * npm run bench            all of them, and docs/benchmarks.md is written
 * npm run bench -- stocks  one of products, stocks, gateway, memory; only printed
 */
const root = join(import.meta.dirname, '..', '..')
const wanted = process.argv[2]

const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
try {
  const erp = await connectErp(product)
  const database = product.processes('mongodb')[0] ?? product.processes('ferretdb')[0]
  const yardstick = await openYardstick(`mongodb://127.0.0.1:${database?.port}/`)
  const benches: Record<string, () => Promise<Figure[]>> = {
    products: () => benchProducts(erp, yardstick),
    stocks: () => benchStocks(erp, yardstick),
    gateway: () => benchGateway(product, erp),
    memory: () => benchMemory(product, erp),
  }
  const figures: Figure[] = []
  for (const [name, bench] of Object.entries(benches)) {
    if (wanted !== undefined && wanted !== name) continue
    console.log(`${name} …`)
    const found = await bench()
    print(found)
    figures.push(...found)
  }
  if (wanted === undefined) writeReport(join(root, 'docs', 'benchmarks.md'), figures, `database: ${database?.name}`)
  await yardstick.close()
  erp.close()
} finally {
  await product.stop()
}
