import { plural } from '../plural.js'

/** The search as a partner sees it. */
export const search = {
  lead: 'The search as partners see it, with the answer of each supplier.',
  article: 'Article',
  readAs: (key: string) => `read as ${key}`,
  points: 'Pick-up points',
  allPoints: 'If none is chosen, the storages in the settings are asked.',
  noPoints: 'There are no pick-up points yet: the storages in the settings are asked.',
  ask: 'Search',
  askedOf: (asked: number, all: number | null) =>
    all === null
      ? `${plural.en(asked, { one: 'storage', other: 'storages' })} asked`
      : `${asked} of ${plural.en(all, { one: 'storage', other: 'storages' })} asked`,
  notInAsked: (asked: number, all: number | null) =>
    all === null ? 'Not in the storages that were asked.' : `Not in the storages that were asked (${asked} of ${all}).`,
  alsoIn: (count: number) =>
    `${plural.en(count, { one: 'storage has it and was', other: 'storages have it and were' })} not asked:`,
  askManager: 'A manager can include them in the search.',
  partial: (failed: number, asked: number) =>
    `Partial result: ${failed} of ${plural.en(asked, { one: 'supplier', other: 'suppliers' })} did not answer.`,
  empty: 'Enter an article to see what a partner gets.',
  closed: 'The partner API is off: partners’ requests are refused.',
  brands: 'Brands',
  noBrands: 'No storage has this article in stock.',
  soldOut: (lists: string[]) =>
    `In ${lists.length === 1 ? 'the price list' : 'price lists'} ${lists.map((name) => `“${name}”`).join(', ')} with ` +
    'the quantity 0, so partners are not offered it.',
  unnamed: (storages: string) =>
    `In stock, but without a product name, so partners do not get it: ${storages}. ` +
    'In the format of the price list, choose a column for the name.',
  unfit: (storages: string) =>
    `Nothing for partners. What these storages answered has no name or no brand, or is another article: ${storages}.`,
  name: 'Name',
  brand: 'Brand',
  storages: (count: number) => plural.en(count, { one: 'storage', other: 'storages' }),
  showParts: 'Offers',
  parts: 'Offers',
  noParts: 'No offer.',
  quantity: 'Quantity',
  price: 'Price',
  days: 'Days',
  storage: 'Storage',
  suppliers: 'Who was asked',
  nobodyAsked: 'No storage was asked: choose them in the settings of the partner API, or choose pick-up points.',
  toSettings: 'Settings of the partner API',
  outcome: 'Outcome',
  outcomes: { ok: 'answered', timeout: 'took too long', error: 'failed', 'cut-off': 'cut off' } as Record<
    string,
    string
  >,
  time: 'Time',
  rows: 'Rows',
  fromCache: 'cached',
  reason: 'Reason',
}
