import type { ApiAudience } from '@partsbus/contracts/administration/settings-commands'
import type { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import type { ApiFigures, Problem } from '@partsbus/contracts/administration/overview'
import { isDiskFull } from '@partsbus/contracts/administration/problem-codes'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { getPricingOverview } from '@partsbus/contracts/pricing-import/overview'
import type { getStockOverview } from '@partsbus/contracts/stock/overview'
import type { getSearchOverview } from '@partsbus/contracts/supplier-search/overview'
import type { StoredSettings } from '../settings/settings-store.js'
import type { WatchedService } from './service-watch.js'

const WAITING_MS = 10 * 60_000
const SILENT_MS = 86_400_000
/** Price lists that a problem names. */
const MAX_NAMED = 100

/** The parts of the overview; null for a service that did not answer. */
export interface FoundParts {
  now: Date
  services: readonly WatchedService[]
  settings: Pick<StoredSettings, 'values' | 'tokens'>
  apis: Record<ApiAudience, ApiFigures>
  catalog: ReplyOf<typeof getCatalogOverview> | null
  stock: ReplyOf<typeof getStockOverview> | null
  pricing: ReplyOf<typeof getPricingOverview> | null
  suppliers: ReplyOf<typeof getSearchOverview>['suppliers'] | null
}

/** The problems of the overview (admin.md#problems): errors before warnings, in the order of their codes. */
export function findProblems(found: FoundParts): Problem[] {
  const problems = [
    ...awayServices(found),
    ...importProblems(found),
    ...supplierProblems(found),
    ...unsearchedLists(found),
    ...pictureProblems(found),
    ...apiProblems(found),
    ...unreadableSecrets(found),
    ...diskProblems(found),
  ]
  return [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))]
}

function isError({ severity }: Problem): boolean {
  return severity === 'error'
}

/** Settings that an API needs before it can be used. */
export function missingOf(audience: ApiAudience, { values, tokens }: FoundParts['settings']): string[] {
  const missing = tokens[audience] ? [] : ['token']
  if (audience === 'b2b') return missing
  if (values.erp_storage_id === null) missing.push('storage')
  if (values.erp_pick_up_point_id === null) missing.push('pick-up point')
  return missing
}

function awayServices({ services }: FoundParts): Problem[] {
  return services.flatMap(({ name, awaySince }) =>
    awaySince ? [problem('service-away', 'error', awaySince.toISOString(), { name })] : [],
  )
}

function importProblems({ pricing, now }: FoundParts): Problem[] {
  if (!pricing) return []
  const { oldest_pending_at: oldest, pending } = pricing.imports
  const isWaiting = oldest !== null && now.getTime() - Date.parse(oldest) > WAITING_MS
  return [
    ...(isWaiting ? [problem('imports-waiting', 'warning', oldest, {}, pending)] : []),
    ...pricing.failed.map(({ at, ...params }) => problem('import-failed', 'error', at, params)),
    ...pricing.sources.failing.map(({ since, failures, ...params }) =>
      problem('source-failing', 'warning', since, params, failures),
    ),
  ]
}

function supplierProblems({ suppliers }: FoundParts): Problem[] {
  return (suppliers ?? [])
    .filter(({ state }) => state === 'cut-off')
    .map(({ storage_id, name, last_error, failing_since, failed }) =>
      problem('supplier-cut-off', 'warning', failing_since, { storage_id, name, message: last_error }, failed),
    )
}

/**
 * Live lists that no search finds: neither without pick-up points nor at one of them. A search reads lists only in
 * storages of their kind, so that including another storage would not help.
 */
function unsearchedLists({ stock, pricing }: FoundParts): Problem[] {
  const storages = (stock?.storage_references ?? []).filter(
    ({ is_active, kind, in_search }) => is_active && kind === 'price-list' && in_search === false,
  )
  const ids = new Set(storages.map(({ id }) => id))
  const lists = (pricing?.live ?? []).filter(({ storage_id }) => ids.has(storage_id))
  if (lists.length === 0) return []
  return [problem('not-in-search', 'warning', null, { price_lists: lists.slice(0, MAX_NAMED) }, lists.length)]
}

function pictureProblems({ catalog }: FoundParts): Problem[] {
  if (!catalog || catalog.pictures_failed === 0) return []
  return [problem('pictures-failing', 'warning', catalog.pictures_failed_since, {}, catalog.pictures_failed)]
}

function apiProblems({ settings, apis, now }: FoundParts): Problem[] {
  const { values, tokens } = settings
  const problems: Problem[] = []
  const erpMissing = missingOf('erp', settings)
  if (values.erp_enabled && erpMissing.length > 0)
    problems.push(problem('erp-not-ready', 'error', null, { missing: erpMissing }))
  const b2bMissing = missingOf('b2b', settings)
  if (values.b2b_enabled && b2bMissing.length > 0)
    problems.push(problem('b2b-not-ready', 'error', null, { missing: b2bMissing }))
  // an ERP that never called is silent once its token is a day old; without figures nothing is known
  const lastCall = apis.erp.last_call_at ?? tokens.erp?.issued_at.toISOString() ?? null
  const isKnown = apis.erp.requests !== null
  const isSilent = lastCall !== null && now.getTime() - Date.parse(lastCall) > SILENT_MS
  if (values.erp_enabled && erpMissing.length === 0 && isKnown && isSilent)
    problems.push(problem('erp-silent', 'warning', lastCall, {}))
  return problems
}

function unreadableSecrets({ stock, pricing }: FoundParts): Problem[] {
  const storages = stock?.unreadable ?? []
  const priceLists = pricing?.unreadable ?? []
  const count = storages.length + priceLists.length
  return count === 0 ? [] : [problem('secrets-unreadable', 'error', null, { storages, price_lists: priceLists }, count)]
}

function diskProblems({ pricing }: FoundParts): Problem[] {
  const disk = pricing?.disk
  if (!disk || !isDiskFull(disk)) return []
  return [problem('disk-full', 'error', null, { service: 'pricing-import', ...disk })]
}

function problem(
  code: Problem['code'],
  severity: Problem['severity'],
  since: string | null,
  params: Record<string, unknown>,
  count = 1,
): Problem {
  return { code, severity, since, params, count }
}
