/** Reasons for skipping a row; texts/skip-texts.ts words them. */
export type SkipCode =
  | 'REPEATED_HEADER'
  | 'GROUP_ROW'
  | 'TOO_MANY_CELLS'
  | 'NO_ARTICLE'
  | 'NO_BRAND'
  | 'NO_QUANTITY'
  | 'BAD_QUANTITY'
  | 'BAD_PRICE'
  | 'NEGATIVE_PRICE'
  | 'BAD_DELIVERY_DAYS'
  | 'TOO_LONG'
  | 'DUPLICATE'

/** Rows that need no correction: they hold no offer, or another row has replaced them. */
export const needlessCodes: readonly SkipCode[] = ['REPEATED_HEADER', 'GROUP_ROW', 'DUPLICATE']
