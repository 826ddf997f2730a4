/**
 * Told to whoever remembers what he read for a moment, outside any stream, before the one who asked for the change is answered
 * (docs/decisions/0011-search-caches.md). They carry nothing: what changed is read again.
 */
export const changes = {
  /** storages and pick-up points */
  storages: 'stock.storages.changed',
  brandSynonyms: 'supplier-search.brand-synonyms.changed',
  /** which versions of which lists are live */
  liveVersions: 'pricing-import.live-versions.changed',
} as const

export type InvalidationSubject = (typeof changes)[keyof typeof changes]
