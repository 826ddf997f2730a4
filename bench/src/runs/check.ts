import { startProduct } from '@partsbus/local-stack/running-product'
import { connectErp } from '../clients/erp.js'
import { benchGateway } from '../load/gateway-hop.js'
import type { Figure } from '../figures/measure.js'
import { listResults, readResults } from '../figures/results.js'
import { benchProducts } from '../load/products.js'
import { benchReaders, READERS_OF_CHECK } from '../load/readers.js'
import { type Comparison, compareRatios, keepBetter, selectRatios, TOLERANCE } from './recorded-ratios.js'
import { benchStocks } from '../load/stocks.js'
import { openYardstick } from '../yardsticks/yardstick.js'

type Group = () => Promise<Figure[]>

/** Rounds and durations of a check, so that it ends within five minutes. */
const REDUCED = { products: { rounds: 3, batches: 4 }, stocks: { rounds: 3, batches: 4 }, gateway: { seconds: 2 } }

/**
 * `npm run bench -- --check`: measures ratios at a reduced size and compares them with the recorded
 * ones in bench/results. A group with a ratio that fell is measured once more. Exits with 1 when one fell both times.
 */
export async function check(root: string): Promise<void> {
  const startedAt = performance.now()
  const recorded = selectRatios(listResults(root).flatMap((name) => readResults(root, name)?.figures ?? []))
  const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
  const compared: Comparison[] = []
  try {
    const erp = await connectErp(product)
    const yardstick = await openYardstick(product.databaseUrl() ?? '')
    const groups: Record<string, Group> = {
      products: () => benchProducts(erp, yardstick, REDUCED.products),
      stocks: () => benchStocks(erp, yardstick, REDUCED.stocks),
      gateway: () => benchGateway(product, erp, REDUCED.gateway),
      readers: () => benchReaders(1, READERS_OF_CHECK),
    }
    for (const [name, measure] of Object.entries(groups)) {
      console.log(`${name} …`)
      const first = compareRatios(recorded, await measure())
      const isSlower = first.some((one) => one.isSlower)
      const found = isSlower ? keepBetter(first, compareRatios(recorded, await measure())) : first
      print(found)
      compared.push(...found)
    }
    await yardstick.close()
    erp.close()
  } finally {
    await product.stop()
  }
  const slower = compared.filter((one) => one.isSlower)
  console.log(`${compared.length} ratios in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  for (const { what, recorded: before, measured } of slower)
    console.log(`fell by more than ${TOLERANCE * 100} %: ${what}, from ${before} to ${measured}`)
  if (compared.length === 0) throw new Error('bench/results has none of the measured ratios')
  process.exitCode = slower.length > 0 ? 1 : 0
}

function print(found: readonly Comparison[]): void {
  for (const { what, recorded, measured, isSlower } of found)
    console.log(`${isSlower ? 'SLOW' : 'ok  '} ${what}: ${measured}, recorded ${recorded}`)
}
