import type { RejectedItem } from '@partsbus/contracts/batch'
import type { UpsertResult } from '@partsbus/contracts/result'
import type { BatchSlugs } from '../slugs/slug-allocator.js'
import { slugError } from '../slugs/slug-request.js'
import type { Outcome } from './item-writer.js'

type ErrorEntry = UpsertResult['errors'][number]

/** The items of one key in the order sent: the rules are applied to one after the other (erp.md#batch-order). */
export function groupByKey<Item extends { id_erp: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.id_erp)
    if (group) group.push(item)
    else groups.set(item.id_erp, [item])
  }
  return groups
}

/**
 * The `errors` of a batch: the rejected items, then the saved ones in the order sent (erp.md#batch-errors).
 * @param failedImages URLs by ERP id, reported with the last item of that id
 * @param messages the messages of one saved item
 */
export function errorEntries<Item extends { id_erp: string }>(
  rejected: readonly RejectedItem[],
  saved: readonly Item[],
  failedImages: ReadonlyMap<string, readonly string[]>,
  messages: (item: Item) => string[],
): ErrorEntry[] {
  const entries: ErrorEntry[] = rejected.map(({ id, message }) => ({ id_erp: id, message }))
  const last = failedImages.size === 0 ? undefined : new Map(saved.map((item) => [item.id_erp, item]))
  for (const item of saved) {
    for (const message of messages(item)) entries.push({ id_erp: item.id_erp, message })
    if (last?.get(item.id_erp) !== item) continue
    for (const url of failedImages.get(item.id_erp) ?? [])
      entries.push({ id_erp: item.id_erp, message: `Image could not be downloaded: ${url}` })
  }
  return entries
}

/** The message of an item whose slug was not saved as it was sent. */
export function slugErrors(
  item: { id_erp: string; slug?: string | null | undefined },
  slugs: BatchSlugs,
  outcome: Outcome | undefined,
): string[] {
  const message = item.slug && outcome ? slugError(item.slug, slugs.request(item.id_erp), outcome.slug) : undefined
  return message === undefined ? [] : [message]
}
