import type { AttributeItem } from '@partsbus/contracts/product'

/** One attribute value of a product; name and type together are its key. */
export interface AttributeValue {
  name: string
  type: string
  value: string
}

/**
 * Sets the values sent, by name and type; those not listed stay (erp.md#products-8).
 * Type omitted or null is the empty string, value null the empty string (erp.md#products-8).
 * @returns `stored` itself when nothing would change
 */
export function mergeAttributes(stored: AttributeValue[], sent: readonly AttributeItem[]): AttributeValue[] {
  let merged = stored
  let places: Map<string, number> | undefined
  for (const [at, item] of sent.entries()) {
    const type = item.type ?? ''
    const value = item.value ?? ''
    // an ERP sends a product's attributes in the same order every time
    let place = isAt(merged[at], item.name, type) ? at : undefined
    if (place === undefined) {
      places ??= new Map(merged.map((known, index) => [placeKey(known.name, known.type), index]))
      place = places.get(placeKey(item.name, type))
    }
    if (place !== undefined && merged[place]?.value === value) continue
    if (merged === stored) merged = [...stored]
    if (place === undefined) {
      places?.set(placeKey(item.name, type), merged.length)
      merged.push({ name: item.name, type, value })
    } else {
      merged[place] = { name: item.name, type, value }
    }
  }
  return merged
}

function isAt(known: AttributeValue | undefined, name: string, type: string): boolean {
  return known !== undefined && known.name === name && known.type === type
}

/** NUL cannot be part of either. */
function placeKey(name: string, type: string): string {
  return `${name}\u0000${type}`
}
