import type { OfferRow } from './growth-offers.js'
import type { ProductRow, StockRow } from './growth-products.js'
import type { Times } from './growth-reads.js'
import type { GrowthCost } from './growth-series.js'
import { type Figure, round, toFigure } from '../figures/measure.js'
import type { Table } from '../figures/results.js'

export interface GrowthRows {
  products: ProductRow[]
  stock: StockRow[]
  offers: OfferRow[]
}

const LIMIT_MS = 100
const SAME_SPEED = 0.8
const SAME_MEMORY = 1.2
const SAME_TIME = 2

const COSTS = ['A second', 'Services, ms per 1,000', 'Database and bus, ms per 1,000', 'Bytes each']

export function productTable(rows: readonly ProductRow[]): Table {
  return {
    columns: [
      'Products',
      ...COSTS,
      'RSS of catalog',
      'of gateway',
      '`?q=` p50 / p95',
      'a page `?after_id=` p95',
      '`?page=` p95',
    ],
    rows: rows.map((row) => [
      whole(row.total),
      ...costCells(row),
      ...memoryCells(row, ['catalog', 'gateway']),
      `${timesCell(row.search)}`,
      `${row.keyset.high} ms`,
      `${row.page.high} ms${refusals(row.page)}`,
    ]),
  }
}

export function stockTable(rows: readonly StockRow[]): Table {
  return {
    columns: ['Rows written', ...COSTS, 'MB in all', 'RSS of stock', 'of catalog', 'of gateway'],
    rows: rows.map((row) => [
      whole(row.total),
      ...costCells(row),
      whole(row.bytesInAll / 1e6),
      ...memoryCells(row, ['stock', 'catalog', 'gateway']),
    ]),
  }
}

export function offerTable(rows: readonly OfferRow[]): Table {
  return {
    columns: [
      'Offers',
      'in lists',
      ...COSTS,
      'RSS of pricing-import',
      'of supplier-search',
      '`get-brands` p50 / p99',
      '`get-parts` p50 / p99',
    ],
    rows: rows.map((row) => [
      whole(row.total),
      String(row.lists),
      ...costCells(row),
      ...memoryCells(row, ['pricing-import', 'supplier-search']),
      timesCell(row.brands),
      timesCell(row.parts),
    ]),
  }
}

/** Goals for the series that are complete: the end against the beginning, and limits at the end. */
export function figuresOfGrowth({ products = [], stock = [], offers = [] }: Partial<GrowthRows>): Figure[] {
  const product = ends(products)
  // the first rows are inserted, later ones updated
  const supply = ends(stock.slice(1))
  const offer = ends(offers)
  return [
    ...(product
      ? [
          sameSpeed('products created a second', product),
          sameMemory('catalog', 'products are created', product),
          below(`GET /products?q= of ${whole(product.last.total)} products, p95`, product.last.search),
          below(`a page of ${whole(product.last.total)} products by ?after_id=, p95`, product.last.keyset),
          below(`a page of ${whole(product.last.total)} products by ?page=, p95`, product.last.page),
        ]
      : []),
    ...(supply
      ? [sameSpeed('stock rows updated a second', supply), sameMemory('stock', 'stock rows are updated', supply)]
      : []),
    ...(offer
      ? [
          sameSpeed('offers imported a second', offer),
          sameMemory('pricing-import', 'offers are imported', offer),
          sameTimes('get-brands, p50', offer, offer.first.brands.p50, offer.last.brands.p50),
          sameTimes('get-brands, p99', offer, offer.first.brands.high, offer.last.brands.high),
          sameTimes('get-parts, p50', offer, offer.first.parts.p50, offer.last.parts.p50),
          sameTimes('get-parts, p99', offer, offer.first.parts.high, offer.last.parts.high),
        ]
      : []),
  ]
}

interface Ends<Row> {
  first: Row
  last: Row
}

function ends<Row>(rows: readonly Row[]): Ends<Row> | undefined {
  const [first, last] = [rows[0], rows.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

function sameSpeed(what: string, { first, last }: Ends<GrowthCost>): Figure {
  const value = rate(last) / rate(first)
  return toFigure({
    what: `${what}, up to ${whole(last.total)} against up to ${whole(first.total)}`,
    value,
    unit: '×',
    detail: `${whole(rate(last))} against ${whole(rate(first))}`,
    least: SAME_SPEED,
  })
}

function sameMemory(name: string, when: string, { first, last }: Ends<GrowthCost>): Figure {
  const [before, after] = [first.memory[name] ?? NaN, last.memory[name] ?? NaN]
  return toFigure({
    what: `peak RSS of ${name} while ${when}, up to ${whole(last.total)} against up to ${whole(first.total)}`,
    value: after / before,
    unit: '×',
    detail: `${after} MB against ${before} MB`,
    most: SAME_MEMORY,
  })
}

function sameTimes(what: string, { first, last }: Ends<GrowthCost>, before: number, after: number): Figure {
  return toFigure({
    what: `${what}, in ${whole(last.total)} offers against ${whole(first.total)}`,
    value: after / before,
    unit: '×',
    detail: `${after} ms against ${before} ms`,
    most: SAME_TIME,
  })
}

function below(what: string, times: Times): Figure {
  return {
    what,
    value: times.high,
    unit: 'ms',
    goal: `≤ ${LIMIT_MS}`,
    reached: times.high <= LIMIT_MS && times.refused === 0,
    detail: `p50 ${times.p50} ms; ${times.count} requests, one at a time${refusals(times)}`,
  }
}

function costCells(row: GrowthCost): string[] {
  const each = (ms: number): string => String(round((ms / row.added) * 1_000, 1))
  return [whole(rate(row)), each(row.services), each(row.servers), whole(row.bytes / row.added)]
}

function memoryCells(row: GrowthCost, names: readonly string[]): string[] {
  return names.map((name) => `${row.memory[name]} MB`)
}

const timesCell = (times: Times): string => `${times.p50} / ${times.high} ms${refusals(times)}`

const refusals = ({ refused, count }: Times): string =>
  refused === 0 ? '' : `, ${refused} of ${count} not answered 200`

const rate = ({ added, ms }: GrowthCost): number => (added / ms) * 1_000

const whole = (value: number): string => Math.round(value).toLocaleString('en')
