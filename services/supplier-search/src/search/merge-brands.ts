import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BrandEntry } from '@partsbus/contracts/supplier-search/commands'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import type { BrandNames } from '../brand-synonyms/brand-names.js'
import { compareTexts, sortedBy } from './order.js'
import { type BrandRow, hasName } from './offer.js'
import { rowKeys } from './row-keys.js'
import type { StorageAnswer } from './storage-answer.js'

/** Rows after which other queries get a turn of the event loop. */
const SLICE = 5_000
/** Bytes of an entry: all storages that a query may go to. */
const LARGEST = 1_000_000

/**
 * Brand entries of an article (partners.md#brand-entry, partners.md#brands-3 to partners.md#brands-6), by brand and
 * article, each with its storages by id. The lowest storage id decides name and raw article; the order of answers and
 * rows does not matter.
 * @param wanted key of the requested article
 */
export async function mergeBrands(
  answers: readonly StorageAnswer<BrandRow>[],
  names: BrandNames,
  wanted: string,
): Promise<BrandEntry[]> {
  const entries = new Map<string, BrandEntry>()
  const sorted = [...answers].sort((one, other) => one.storage.id - other.storage.id)
  let seen = 0
  for (const { storage, rows } of sorted) {
    seen += rows.length
    if (seen >= SLICE) {
      await nextTurn()
      seen = 0
    }
    for (const row of rows.filter((each) => hasName(each) && rowKeys(each).article === wanted).sort(byText)) {
      const { brand } = rowKeys(row)
      const identity = names.identityOfKey(brand)
      if (identity === '') continue
      const entry = entries.get(identity) ?? {
        brand: names.displayName(brand),
        article: row.article,
        name: row.name,
        storages: [],
      }
      entries.set(identity, entry)
      if (entry.storages.at(-1)?.storage_id !== storage.id)
        entry.storages.push({ storage_id: storage.id, storage_name: storage.name })
    }
  }
  return [
    ...fitMessage(
      sortedBy([...entries.values()], (entry) => [entry.brand, entry.article]),
      LARGEST,
    ),
  ]
}

function byText(one: BrandRow, other: BrandRow): number {
  return (
    compareTexts(one.brand, other.brand) ||
    compareTexts(one.article, other.article) ||
    compareTexts(one.name, other.name)
  )
}
