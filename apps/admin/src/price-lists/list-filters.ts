import { choice, count, price, text } from '../shell/url-state.js'
import { changeKinds } from '@partsbus/contracts/pricing-import/change-kinds'

/* The filters of the pages of a price list, in their URLs. */
export const offersState = {
  article: text(),
  brand: text(),
  price_from: price(),
  price_to: price(),
  page: count(1),
}
export const changesState = {
  from: count(undefined),
  to: count(undefined),
  kind: choice(changeKinds),
  article: text(),
  brand: text(),
  page: count(1),
}
