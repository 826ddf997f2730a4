/*
 * Public entry point, under semantic versioning: the calls of the ERP API and the items that they take. Of a row
 * `name`, `status`, `params`, `query`, `headers`, `body`, `answer` and `refusals` are public.
 */
export { erpRows, type ErpPath, type ErpRows } from './http/erp.js'
export { checkItem, type ItemCheck, type ItemPath } from './http/check-item.js'
export type { CallArguments, CallOptions, ReceivedAnswer, SentBody } from './http/calls.js'
export { categoryItem, type CategoryItem } from './catalog/category.js'
export { type AttributeItem, type ImageItem, productItem, type ProductItem } from './catalog/product.js'
export { priceItem, type PriceItem, stockItem, type StockItem } from './stock/stock-item.js'
export type { DeactivationResult, StockResult, UpsertResult } from './result.js'
