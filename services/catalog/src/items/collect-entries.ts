import type { RejectedItem } from '@partsbus/contracts/batch'

interface Entry {
  id_erp: string
  message: string
}

/**
 * All error entries of a batch: the rejected items, then the saved ones in the order sent.
 * @param failedImages URLs by ERP id; told with the last item of that id
 * @param entriesOf the messages of one saved item
 */
export function collectEntries<Item extends { id_erp: string }>(
  rejected: readonly RejectedItem[],
  items: readonly Item[],
  failedImages: Map<string, string[]>,
  entriesOf: (item: Item) => string[],
): Entry[] {
  const entries: Entry[] = rejected.map(({ id, message }) => ({ id_erp: id, message }))
  const last = failedImages.size === 0 ? undefined : new Map(items.map((item) => [item.id_erp, item]))
  for (const item of items) {
    for (const message of entriesOf(item)) entries.push({ id_erp: item.id_erp, message })
    if (last?.get(item.id_erp) !== item) continue
    for (const url of failedImages.get(item.id_erp) ?? [])
      entries.push({ id_erp: item.id_erp, message: `Image could not be downloaded: ${url}` })
  }
  return entries
}
