/** The items of one key, in the order sent: the rules are applied one after the other (erp.md#batch-order). */
export function groupByKey<Item extends { id_erp: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.id_erp)
    if (group) group.push(item)
    else groups.set(item.id_erp, [item])
  }
  return groups
}
