import { articleKey } from '@partsbus/contracts/article'
import type { Layout } from './layout.js'
import { pick } from './read-row.js'

/** A column with fewer goods may hold anything. */
const MIN_GOODS = 20
/** A column that three of four goods leave blank holds no number that identifies them. */
const MIN_FILLED = 0.25
/** Article numbers have digits; remarks (`for vans`, `new`) seldom do. */
const MIN_NUMBERS = 0.5

/**
 * Whether the column of the article is mostly blank, or has remarks: an import would leave out most goods.
 * @param rows those below the header, or the first of them
 */
export function isDoubtfulArticle(rows: string[][], layout: Layout): boolean {
  const goods = rows.filter((cells) => isOfGoods(cells, layout))
  if (goods.length < MIN_GOODS) return false
  const articles = goods.map((cells) => pick(cells, layout, 'article')).filter((text) => articleKey(text) !== '')
  const numbers = articles.filter((text) => /\d/.test(text))
  return articles.length < goods.length * MIN_FILLED || numbers.length < articles.length * MIN_NUMBERS
}

/** Headings of groups and notes have neither. */
function isOfGoods(cells: string[], layout: Layout): boolean {
  return pick(cells, layout, 'quantity') !== '' || pick(cells, layout, 'price') !== ''
}
