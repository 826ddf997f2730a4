import { type BsonWriter, fieldName } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import type { ImportableRow } from '../rows/read-row.js'
import { offerId } from '../offers/offer-id.js'

const id = fieldName('_id')
const versionName = fieldName('version')
const brand = fieldName('brand')
const article = fieldName('article')
const name = fieldName('name')
const quantity = fieldName('quantity')
const price = fieldName('price')
const deliveryDays = fieldName('delivery_days')
const brandKey = fieldName('brand_key')
const articleKey = fieldName('article_key')

/** Writes an offer as the collection has it (see offer-store.ts). */
export function writeOffer(to: BsonWriter, version: number, place: number, offer: ImportableRow): void {
  const begun = to.begin()
  to.number(id, offerId(version, place))
  to.number(versionName, version)
  to.string(brand, offer.brand)
  to.string(article, offer.article)
  to.string(name, offer.name)
  to.number(quantity, offer.quantity)
  if (offer.price === null) to.null(price)
  else to.number(price, offer.price)
  if (offer.delivery_days === null) to.null(deliveryDays)
  else to.number(deliveryDays, offer.delivery_days)
  to.string(brandKey, offer.brand_key)
  to.string(articleKey, offer.article_key)
  to.end(begun)
}
