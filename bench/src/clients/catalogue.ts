/** Products of the benchmark: five attributes, a description of 300 characters, about 800 bytes of JSON each. */
export interface BenchProduct {
  id_erp: string
  name: string
  brand: string
  article: string
  description_full: string
  sort_order: number
  attributes: Array<{ name: string; value: string; type: string }>
}

const words = ['Фильтр', 'масляный', 'передний', 'brake', 'pad', 'левый', 'амортизатор', 'door', 'seal', 'ремень']

/** @param version changes name, sort and one attribute, so that a second pass writes */
export function makeProducts(first: number, count: number, version: number): BenchProduct[] {
  return Array.from({ length: count }, (_, index) => {
    const n = first + index
    const name = `${words[n % 10]} ${words[(n >> 3) % 10]} ${n}`
    return {
      id_erp: `bench-${n}`,
      name: version === 0 ? name : `${name} v${version}`,
      brand: `BRAND-${n % 97}`,
      article: `A-${n}-${n % 13}`,
      description_full: `${name}. `.repeat(30).slice(0, 300),
      sort_order: n + version,
      attributes: ['colour', 'weight', 'side', 'material', 'warranty'].map((attribute, at) => ({
        name: attribute,
        value: `${attribute} ${(n + at + (at === 0 ? version : 0)) % 50}`,
        type: 'text',
      })),
    }
  })
}

export function makeStocks(
  first: number,
  count: number,
  version: number,
): Array<{ product_id_erp: string; quantity: number }> {
  return Array.from({ length: count }, (_, index) => ({
    product_id_erp: `bench-${first + index}`,
    quantity: (first + index + version) % 500,
  }))
}
