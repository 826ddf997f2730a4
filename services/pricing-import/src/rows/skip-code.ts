/** Reasons for skipping a row, with the texts that the administrator sees. */
export const skipTexts = {
  REPEATED_HEADER: 'The row repeats the header.',
  GROUP_ROW: 'The row is a heading of a group: it has neither article, nor price, nor quantity.',
  TOO_MANY_CELLS: 'The row has more cells than are read.',
  NO_ARTICLE: 'The article is missing.',
  NO_BRAND: 'The brand is missing.',
  NO_QUANTITY: 'The quantity is missing.',
  BAD_QUANTITY: 'The quantity is not understood.',
  BAD_PRICE: 'The price is not understood.',
  NEGATIVE_PRICE: 'The price is negative.',
  BAD_DELIVERY_DAYS: 'The delivery time is not understood.',
  TOO_LONG: 'The article or the brand is longer than 191 characters.',
  DUPLICATE: 'A later row has the same brand and article.',
} as const

export type SkipCode = keyof typeof skipTexts

/** Rows that need no correction: they hold no offer, or another row has replaced them. */
export const needlessCodes: readonly SkipCode[] = ['REPEATED_HEADER', 'GROUP_ROW', 'DUPLICATE']
