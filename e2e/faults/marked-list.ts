import { createHash } from 'node:crypto'
import { findOffers } from '@partsbus/contracts/pricing-import/commands'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { parseServerAddress } from '@partsbus/platform/bus/server-address'
import { connect } from '@nats-io/transport-node'
import type { PartnerList, PartnerShop } from '../testing/partner-shop.js'
import { expectStatus } from '../testing/shop.js'

/*
 * Price lists whose rows contain their version as the whole part of the price. They have few articles with many brands
 * each, so that all offers of a list are read with few queries. Every eleventh row has no quantity and is skipped;
 * every 97th repeats the row before it, which is then skipped as a duplicate.
 */
export const ARTICLES = 40

const article = (row: number) => `F${row % ARTICLES}`
const brand = (row: number) => `BRAND${Math.floor(row / ARTICLES)}`
const isRepeat = (row: number) => row % 97 === 0 && row % 11 !== 0
const isReplaced = (row: number) => isRepeat(row + 1)
const isImported = (row: number, rows: number) => row % 11 !== 0 && !(isReplaced(row) && row < rows)

/** @param version 2 or more; rows that must never be offered have the price 1 */
export function markedText(rows: number, version: number): string {
  const lines = ['Бренд;Артикул;Наименование;Количество;Цена']
  for (let row = 1; row <= rows; row++) {
    const key = isRepeat(row) ? row - 1 : row
    const price = isImported(row, rows) ? `${version},${String(row % 89).padStart(2, '0')}` : '1'
    lines.push(`${brand(key)};${article(key)};Деталь ${row};${row % 11 === 0 ? '' : row};${price}`)
  }
  return `${lines.join('\n')}\n`
}

/** The expected counts of rows of such a file. */
export function expectedCounts(rows: number): {
  total_rows: number
  processed_rows: number
  imported_rows: number
  skipped_rows: number
} {
  const imported = Array.from({ length: rows }, (_, index) => isImported(index + 1, rows)).filter(Boolean).length
  return { total_rows: rows, processed_rows: rows, imported_rows: imported, skipped_rows: rows - imported }
}

export interface LiveList {
  version: number
  offers: number
  /** hash of all offers without the version */
  hash: string
}

/** Reads every offer of the list over the bus, as the search does. @throws Error when versions are mixed or missing */
export async function readLive(product: RunningProduct, list: PartnerList): Promise<LiveList> {
  const url = product.busUrl()
  if (url === undefined) throw new Error('The bus does not run as a process of this machine')
  const nc = await connect({ ...parseServerAddress(url) })
  try {
    const lines: string[] = []
    const versions = new Set<number>()
    for (let at = 0; at < ARTICLES; at++) {
      const reply = await nc.request(
        findOffers.subject,
        JSON.stringify({ storage_ids: [list.storageId], article_key: `F${at}` }),
        { timeout: 10_000 },
      )
      const { offers } = findOffers.reply.parse(reply.json())
      for (const { brand: of, article: what, name, quantity, price } of offers) {
        versions.add(Math.floor(price ?? -1))
        lines.push([of, what, name, quantity, Math.round(((price ?? 0) % 1) * 100)].join('|'))
      }
    }
    const [version = -1, ...others] = versions
    if (others.length > 0 || version === -1) throw new Error(`The list ${list.id} is of the versions ${[...versions]}`)
    return { version, offers: lines.length, hash: sha256(lines.toSorted().join('\n')) }
  } finally {
    await nc.close()
  }
}

/** The skipped rows of a task with their reasons, as one hash. */
export async function readSkipped(shop: PartnerShop, taskId: number): Promise<string> {
  return sha256(expectStatus(await shop.admin.get(`/import-tasks/${taskId}/skipped.csv`), 200).text)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A query for one article of such a list in twenty of its brands, and the expected number of offers. */
export function question(list: PartnerList, at: number, rows: number): { body: object; expected: number } {
  const asked = Array.from({ length: 20 }, (_, index) => (index + 1) * ARTICLES + at)
  const offered = asked.filter((row) => (isRepeat(row + 1) && row < rows) || (row % 11 !== 0 && !isRepeat(row)))
  return {
    body: { article: article(at), brands: asked.map(brand), pick_up_points: [list.pointId] },
    expected: offered.length,
  }
}
