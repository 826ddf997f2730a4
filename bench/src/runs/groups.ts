import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { benchBatchHeaders } from '../load/batch-headers.js'
import { connectErp, type Erp } from '../clients/erp.js'
import { benchGateway } from '../load/gateway-hop.js'
import type { GroupSteps } from './group-steps.js'
import { benchGrowth } from '../series/growth.js'
import { benchImports } from '../load/imports.js'
import type { Figure, Measured } from '../figures/measure.js'
import { benchMemory } from '../load/memory.js'
import { benchMigrations } from '../load/migrations.js'
import { benchMixed } from '../load/mixed.js'
import { benchOverload } from '../load/overload.js'
import { benchPages } from '../load/pages.js'
import { benchProducts } from '../load/products.js'
import { benchReaders } from '../load/readers.js'
import { benchSearch } from '../load/search.js'
import { benchStocks } from '../load/stocks.js'
import { openYardstick, type Yardstick } from '../yardsticks/yardstick.js'

export type Group = (root: string, steps: GroupSteps) => Promise<Measured>

interface Bench {
  product: RunningProduct
  erp: Erp
  yardstick: Yardstick
  databaseUrl: string
  steps: GroupSteps
}

/** All groups in the order in which they run. */
export const groups: Record<string, Group> = {
  readers: async (_root, steps) => ({
    figures: await steps.figures('all', () => benchReaders()),
    how: 'no database',
  }),
  overload: async (root, steps) => ({
    figures: await steps.figures('all', () => benchOverload(root)),
    how: 'two replicas of every service',
  }),
  mixed: async (root, steps) => ({
    figures: await steps.figures('all', () => benchMixed(root)),
    how: 'one replica of every service',
  }),
  products: withProduct(({ erp, yardstick, steps }) => steps.figures('all', () => benchProducts(erp, yardstick))),
  stocks: withProduct(({ erp, yardstick, steps }) => steps.figures('all', () => benchStocks(erp, yardstick))),
  gateway: withProduct(async ({ product, erp, steps }) => [
    ...(await steps.figures('hop', () => benchGateway(product, erp))),
    ...(await steps.figures('headers', () => benchBatchHeaders(product, erp))),
  ]),
  memory: withProduct(({ product, erp, steps }) => steps.figures('all', () => benchMemory(product, erp))),
  imports: withProduct(({ product, erp, databaseUrl, steps }) => benchImports(product, erp, databaseUrl, steps)),
  search: withProduct(({ product, erp, databaseUrl, steps }) => benchSearch(product, erp, databaseUrl, steps)),
  pages: withProduct(({ product, steps }) => steps.figures('all', () => benchPages(product))),
  growth: benchGrowth,
  migrations: withProduct(({ erp, databaseUrl, steps }) =>
    steps.figures('all', () => benchMigrations(erp, databaseUrl)),
  ),
}

/** Runs a group against a product of its own, so that no group depends on what another one has written. */
function withProduct(run: (bench: Bench) => Promise<Figure[]>): Group {
  return async (root, steps) => {
    const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
    try {
      const database = product.processes('mongodb')[0] ?? product.processes('ferretdb')[0]
      const databaseUrl = product.databaseUrl() ?? ''
      const erp = await connectErp(product)
      const yardstick = await openYardstick(databaseUrl)
      const figures = await run({ product, erp, yardstick, databaseUrl, steps })
      await yardstick.close()
      erp.close()
      return { figures, how: `database: ${database?.name}` }
    } finally {
      await product.stop()
    }
  }
}
