import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import { brandKey } from '@partsbus/contracts/article'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { Product } from '@partsbus/contracts/catalog/product'
import type { DeactivationResult } from '@partsbus/contracts/result'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import type { CallOf } from '@partsbus/platform/bus/call'
import { fitMessage } from '@partsbus/platform/bus/fit-message'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CategoryStore } from '../categories/category-store.js'
import { LatestBatchStore } from '../overview/latest-batch-store.js'
import { deactivateProducts } from './deactivate-products.js'
import { MAX_PRODUCT_BYTES } from './plan-product.js'
import type { ProductDocument } from './product-document.js'
import { ProductStore, ProductWriter } from './product-store.js'
import { productView } from './product-view.js'

/** Searches scan all names; more at a time would take the connections that batches need. */
const PARALLEL_LISTS = 2

/** The most products of one article that are read. More are an error in the data, such as article `0` everywhere. */
const MAX_READ = 10_000
/** The most products of one article in a reply. */
const MAX_FOUND = 5_000
/** Bytes of a found product: three texts of 191 characters and the names of the fields. */
const LARGEST_FOUND = 2_500

/** admin.md#products, erp.md#delete-2 */
@Controller()
export class Products {
  private readonly lists = new Semaphore(PARALLEL_LISTS)

  constructor(
    private readonly products: ProductStore,
    private readonly categories: CategoryStore,
    private readonly writer: ProductWriter,
    private readonly latestBatch: LatestBatchStore,
  ) {}

  /**
   * By `id`. A page that would outgrow one message of the bus ends early; `after_id` continues after its last product.
   * @throws AppError OVERLOADED when this list, or the lists before it, take too long
   */
  @Handles(contract.listProducts)
  async listProducts(call: CallOf<typeof contract.listProducts>): Promise<ReplyOf<typeof contract.listProducts>> {
    const refusal = (): Error => new AppError('OVERLOADED', texts.unavailable)
    return this.lists.runWithin(call.timeLeft(), refusal, () => this.list(call.body))
  }

  /** Soft-deleted products are found too. @throws AppError NOT_FOUND */
  @Handles(contract.getProduct)
  async getProduct(call: CallOf<typeof contract.getProduct>): Promise<Product> {
    const doc = await this.products.findByName(call.body)
    const [view] = doc ? await this.views([doc]) : []
    if (!view) throw new AppError('NOT_FOUND', texts.notFound)
    return view
  }

  /** The products that may have stock (erp.md#stocks-2). */
  @Handles(contract.resolveProducts)
  async resolveProducts(
    call: CallOf<typeof contract.resolveProducts>,
  ): Promise<ReplyOf<typeof contract.resolveProducts>> {
    return { products: await this.products.findIds(call.body.erp_ids) }
  }

  @Handles(contract.findExistingProducts)
  async findExistingProducts(
    call: CallOf<typeof contract.findExistingProducts>,
  ): Promise<ReplyOf<typeof contract.findExistingProducts>> {
    return { ids: await this.products.existing(call.body.ids) }
  }

  /** @returns `is_cut` when there are more products than fit into a reply */
  @Handles(contract.findProductsByArticle)
  async findProductsByArticle(
    call: CallOf<typeof contract.findProductsByArticle>,
  ): Promise<ReplyOf<typeof contract.findProductsByArticle>> {
    const { article_key, brand_keys } = call.body
    if (article_key === '') return { products: [] }
    const brands = brand_keys && new Set(brand_keys)
    const read = await this.products.findOffered(article_key, MAX_READ + 1)
    const found = read
      .slice(0, MAX_READ)
      .filter(({ brand }) => !brands || brands.has(brandKey(brand ?? '')))
      .map(({ id, brand, article, name }) => ({ id, brand, article: article ?? '', name }))
    const products = [...fitMessage(found.slice(0, MAX_FOUND), LARGEST_FOUND)]
    return products.length < found.length || read.length > MAX_READ ? { products, is_cut: true } : { products }
  }

  @Handles(contract.deactivateProducts)
  deactivateProducts(call: CallOf<typeof contract.deactivateProducts>): Promise<DeactivationResult> {
    this.latestBatch.note()
    return deactivateProducts(call, this.products, this.writer)
  }

  private async list(request: RequestOf<typeof contract.listProducts>): Promise<ReplyOf<typeof contract.listProducts>> {
    const { page, per_page, q, category_id, trashed, is_active } = request
    const category = category_id === undefined ? undefined : await this.categories.findByName({ id: category_id })
    if (category_id !== undefined && !category) return { data: [], total: 0, page, per_page }
    const { docs, total } = await this.products.list(
      { categoryErpId: category?._id, trashed, isActive: is_active, q },
      request,
    )
    return { data: fitPage(await this.views(docs)), total: total ?? 0, page, per_page }
  }

  private async views(docs: readonly ProductDocument[]): Promise<Product[]> {
    const categories = await this.categories.findSummaries([...new Set(docs.flatMap((doc) => doc.category_erp_ids))])
    return docs.map((doc) => productView(doc, categories))
  }
}

/** A product from the time of a higher size limit, which does not fit alone, is left out. */
function fitPage(products: readonly Product[]): Product[] {
  for (let at = 0; at < products.length; at += 1) {
    const fitting = fitMessage(products.slice(at), MAX_PRODUCT_BYTES)
    if (fitting.length > 0) return [...fitting]
  }
  return []
}
