import type { AttributeItem } from '@partsbus/contracts/catalog/product'

/** One attribute value of a product; name and type together are its key. */
export interface AttributeValue {
  name: string
  type: string
  value: string
}

/**
 * Sets the sent values by name and type and keeps the others (erp.md#products-8). An omitted or null type or value is
 * the empty string.
 * @returns `stored` itself when nothing changes
 */
export function mergeAttributes(stored: AttributeValue[], sent: readonly AttributeItem[]): AttributeValue[] {
  let merged = stored
  let positions: Map<string, number> | undefined
  for (const [at, item] of sent.entries()) {
    const type = item.type ?? ''
    const value = item.value ?? ''
    // an ERP sends a product's attributes in the same order every time
    let position = isAttribute(merged[at], item.name, type) ? at : undefined
    if (position === undefined) {
      positions ??= new Map(merged.map((known, index) => [attributeKey(known.name, known.type), index]))
      position = positions.get(attributeKey(item.name, type))
    }
    if (position !== undefined && merged[position]?.value === value) continue
    if (merged === stored) merged = [...stored]
    if (position === undefined) {
      positions?.set(attributeKey(item.name, type), merged.length)
      merged.push({ name: item.name, type, value })
    } else {
      merged[position] = { name: item.name, type, value }
    }
  }
  return merged
}

/**
 * The sent values alone; one that is sent twice has its last value.
 * @returns `stored` itself when nothing changes
 */
export function replaceAttributes(stored: AttributeValue[], sent: readonly AttributeItem[]): AttributeValue[] {
  const next = mergeAttributes([], sent)
  const isSame =
    next.length === stored.length &&
    next.every(({ name, type, value }, at) => isAttribute(stored[at], name, type) && stored[at]?.value === value)
  return isSame ? stored : next
}

/** Positions of the values that a later one of the same item replaces. */
export function findRepeated(sent: readonly AttributeItem[]): number[] {
  const last = new Map(sent.map(({ name, type }, at) => [attributeKey(name, type ?? ''), at]))
  return sent.flatMap(({ name, type, value }, at) => {
    const winner = sent[last.get(attributeKey(name, type ?? '')) ?? at]
    return (winner?.value ?? '') === (value ?? '') ? [] : [at]
  })
}

function isAttribute(known: AttributeValue | undefined, name: string, type: string): boolean {
  return known !== undefined && known.name === name && known.type === type
}

/** Neither of them contains NUL. */
function attributeKey(name: string, type: string): string {
  return `${name}\u0000${type}`
}
