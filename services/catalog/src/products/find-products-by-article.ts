import type { findProductsByArticle } from '@partsbus/contracts/catalog'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'

/** Products of one article that may be offered: active and not soft-deleted, by `id`. */
export async function findArticleProducts(
  ctx: CatalogContext,
  call: CallOf<typeof findProductsByArticle>,
): Promise<ReplyOf<typeof findProductsByArticle>> {
  const { article_key } = call.body
  if (article_key === '') return { products: [] }
  const found = await ctx.products.collection
    .find(
      { article_key, is_active: true, deleted_at: null },
      { projection: { id: 1, brand: 1, article: 1, name: 1 }, sort: { id: 1 } },
    )
    .toArray()
  return { products: found.map(({ id, brand, article, name }) => ({ id, brand, article: article ?? '', name })) }
}
