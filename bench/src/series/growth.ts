import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { connectErp, type Erp } from '../clients/erp.js'
import type { GroupSteps } from '../runs/group-steps.js'
import { growOffers } from './growth-offers.js'
import { figuresOfGrowth, type GrowthRows, offerTable, productTable, stockTable } from './growth-page.js'
import { fillProducts, growProducts, growStock } from './growth-products.js'
import type { Measured } from '../figures/measure.js'
import { describeRun, type Table, writeResults } from '../figures/results.js'
import { scaled, toScale } from '../runs/scale.js'

/** Finishes in a few minutes. */
const OWN_SCALE = 0.02
const THOUSAND = 1_000
const HOW = 'one replica of every service, empty at first'
const FULL = { products: [10_000, 1_000_000], offers: [100_000, 10_000_000], stock: 10_000_000 } as const

/**
 * How cost grows with the number of products, offers and stock rows. Each row is stored and written to
 * docs/measurements/growth.md as soon as it is there; a series that was interrupted starts over, since its product is
 * gone.
 */
export async function benchGrowth(root: string, steps: GroupSteps): Promise<Measured> {
  const scale = toScale(OWN_SCALE)
  const thousands = (full: number): number => Math.max(1, Math.round((full * scale) / THOUSAND)) * THOUSAND
  const [first, last] = [thousands(FULL.products[0]), thousands(FULL.products[1])]
  const series = new Series(root, steps)
  series.writeComplete()
  // the longest series comes last: an interrupted run has the others
  if (!series.isComplete('offers'))
    await withErp(root, (product) =>
      series.run('offers', (record) =>
        growOffers(product, {
          first: scaled(FULL.offers[0], scale, 2 * THOUSAND),
          last: scaled(FULL.offers[1], scale, 4 * THOUSAND),
          record,
        }),
      ),
    ).catch((error: unknown) => steps.fail('offers', error))
  if (!series.isComplete('products') || !series.isComplete('stock'))
    await withErp(root, async (product, erp) => {
      if (series.isComplete('products')) await fillProducts(erp, last)
      else await series.run('products', (record) => growProducts(product, erp, { first, last, record }))
      if (!series.isComplete('products')) steps.fail('stock', new Error('There are no products to update'))
      else if (!series.isComplete('stock'))
        await series.run('stock', (record) =>
          growStock(product, erp, { products: last, rows: scaled(FULL.stock, scale, 10 * THOUSAND), record }),
        )
    }).catch((error: unknown) => steps.fail('products and stock', error))
  return { figures: figuresOfGrowth(series.complete()), how: HOW }
}

async function withErp(root: string, run: (product: RunningProduct, erp: Erp) => Promise<void>): Promise<void> {
  const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
  try {
    const erp = await connectErp(product)
    await run(product, erp)
    erp.close()
  } finally {
    await product.stop()
  }
}

/** The rows of the series, stored and on the page. */
class Series {
  constructor(
    private readonly root: string,
    private readonly steps: GroupSteps,
  ) {}

  isComplete(name: keyof GrowthRows): boolean {
    return this.steps.read(`${name}, complete`) === true
  }

  /** The rows of the complete series. */
  complete(): Partial<GrowthRows> {
    const names = (['products', 'stock', 'offers'] as const).filter((name) => this.isComplete(name))
    return Object.fromEntries(names.map((name) => [name, this.steps.read(name)]))
  }

  /** Writes the tables of the complete series. */
  writeComplete(): void {
    for (const [name, rows] of Object.entries(this.complete())) this.writeTable(name as keyof GrowthRows, rows as never)
  }

  async run<Name extends keyof GrowthRows>(
    name: Name,
    measure: (record: (row: GrowthRows[Name][number]) => void) => Promise<void>,
  ): Promise<void> {
    const rows: Array<GrowthRows[Name][number]> = []
    try {
      await measure((row) => {
        rows.push(row)
        this.steps.write(name, rows)
        this.writeTable(name, rows as never)
        const rate = Math.round((row.added / row.ms) * 1_000)
        console.log(`  growth, ${name}: ${row.total.toLocaleString('en')}, ${rate} a second`)
      })
      this.steps.write(`${name}, complete`, true)
    } catch (error) {
      this.steps.fail(name, error)
    }
  }

  private writeTable<Name extends keyof GrowthRows>(name: Name, rows: GrowthRows[Name]): void {
    const tables = { products: productTable, stock: stockTable, offers: offerTable } satisfies {
      [Each in keyof GrowthRows]: (rows: GrowthRows[Each]) => Table
    }
    const table = (tables[name] as (rows: GrowthRows[Name]) => Table)(rows)
    writeResults(this.root, `growth of ${name}`, { page: 'growth.md', how: describeRun(HOW), tables: [table] })
  }
}
