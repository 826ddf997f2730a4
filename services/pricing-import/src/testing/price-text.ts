/** Header of the CSV files of tests. */
export const CSV_HEADER = 'Бренд;Артикул;Наименование;Количество;Цена\n'

let articles = 0
/** An article that no other test uses. */
export function newArticle(): string {
  return `ART${(articles += 1)}X`
}

/**
 * A price list of `rows` rows as CSV; every tenth has no quantity, every 97th repeats an earlier key. `price` tells
 * versions apart.
 */
export function priceText(rows: number, price: number): string {
  const lines = [CSV_HEADER.trim()]
  for (let row = 1; row <= rows; row += 1) {
    const article = row % 97 === 0 ? `P${row - 1}` : `P${row}`
    lines.push(`BRAND${row % 5};${article};Деталь ${row};${row % 10 === 0 ? '' : row};${price}`)
  }
  return `${lines.join('\n')}\n`
}
