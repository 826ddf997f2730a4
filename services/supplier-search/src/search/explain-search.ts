import { articleKey } from '@partsbus/contracts/article'
import type { SupplierOutcome } from '@partsbus/contracts/supplier-search/overview'
import { type Locale, translateReason } from '../texts/translate-reason.js'
import type { QueriedStorage, NotedAnswer } from './storage-answer.js'

/** Fields for administrators in addition to the partner's answer (admin.md#search-explain). */
export function explainSearch(
  { article, pick_up_points }: { article: string; pick_up_points?: readonly number[] | null | undefined },
  storages: readonly QueriedStorage[],
  answers: readonly NotedAnswer<unknown>[],
  locale: Locale,
): {
  article_key: string
  asked_by: 'storages_for_crosses' | 'pick_up_points'
  suppliers: SupplierOutcome[]
} {
  const kinds = new Map(storages.map(({ id, supplier }) => [id, supplier?.kind ?? null]))
  return {
    article_key: articleKey(article),
    asked_by: pick_up_points ? 'pick_up_points' : 'storages_for_crosses',
    suppliers: answers
      .toSorted((one, other) => one.storage.id - other.storage.id)
      .map(({ storage, outcome, rows, ms, isCached, isCutOff, error }) => ({
        storage_id: storage.id,
        storage_name: storage.name,
        kind: kinds.get(storage.id) ?? null,
        outcome: isCutOff ? 'cut-off' : outcome === 'partial' ? 'ok' : outcome,
        ms,
        rows: rows.length,
        from_cache: isCached,
        error: translateReason(error, locale),
      })),
  }
}
