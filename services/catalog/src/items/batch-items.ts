import type { RejectedItem } from '@partsbus/contracts/batch'
import type { DetailCollector, ItemNote } from '@partsbus/contracts/result-details'
import type { UpsertResult } from '@partsbus/contracts/result'
import { noteUnchanged } from '@partsbus/platform/bus/batch-counts'
import type { BatchSlugs } from '../slugs/slug-allocator.js'
import { slugNote } from '../slugs/slug-request.js'
import type { Outcome } from './plan-batch.js'

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
 * @param notes what happened to one saved item
 * @param details gets the notes as well
 */
export function errorEntries<Item extends { id_erp: string }>(
  rejected: readonly RejectedItem[],
  saved: readonly Item[],
  failedImages: ReadonlyMap<string, readonly string[]>,
  notes: (item: Item) => ItemNote[],
  details?: DetailCollector,
): ErrorEntry[] {
  const entries: ErrorEntry[] = rejected.map(({ id, message }) => ({ id_erp: id, message }))
  const last = failedImages.size === 0 ? undefined : new Map(saved.map((item) => [item.id_erp, item]))
  for (const item of saved) {
    for (const note of notes(item)) {
      entries.push({ id_erp: item.id_erp, message: note.message })
      details?.addFor(item, item.id_erp, note)
    }
    if (last?.get(item.id_erp) !== item) continue
    for (const url of failedImages.get(item.id_erp) ?? [])
      entries.push({ id_erp: item.id_erp, message: `Image could not be downloaded: ${url}` })
  }
  return entries
}

/** The note of an item whose slug was not saved as it was sent. */
export function slugNotes(
  item: { id_erp: string; slug?: string | null | undefined },
  slugs: BatchSlugs,
  outcome: Outcome | undefined,
): ItemNote[] {
  const note = item.slug && outcome ? slugNote(item.slug, slugs.request(item.id_erp), outcome.slug) : undefined
  return note === undefined ? [] : [note]
}

/**
 * Items of keys that the batch did not write: what is stored was the same already.
 * @param changed keys of which something else changed
 */
export function countUnchanged(
  items: readonly { id_erp: string }[],
  outcomes: ReadonlyMap<string, Outcome>,
  changed?: ReadonlySet<string>,
): number {
  return items.filter(({ id_erp }) => outcomes.get(id_erp)?.isWritten === false && !changed?.has(id_erp)).length
}

/** Adds how many items were unchanged, and the details when they were requested. */
export function completeResult(result: UpsertResult, unchanged: number, details?: DetailCollector): UpsertResult {
  if (!details) return noteUnchanged(result, unchanged)
  details.unchanged = unchanged
  return noteUnchanged({ ...result, details: details.toReply() }, unchanged)
}
