/**
 * Subjects that invalidate caches, published without a stream before the change is answered
 * (docs/decisions/0011-search-caches.md). The messages are empty: caches read the data again.
 */
export const changes = {
  /** storages and pick-up points */
  storages: 'stock.storages.changed',
  brandSynonyms: 'supplier-search.brand-synonyms.changed',
  /** live versions of price lists */
  liveVersions: 'pricing-import.live-versions.changed',
} as const

export type InvalidationSubject = (typeof changes)[keyof typeof changes]
