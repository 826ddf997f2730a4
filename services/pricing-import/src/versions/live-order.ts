import { AppError } from '@partsbus/contracts/app-error'
import type { KeptVersion, PriceListRecord } from '../price-lists/price-list-record.js'

type Versions = Pick<PriceListRecord, 'versions' | 'active_version'>

/** A version with its number within the list. */
export type NumberedVersion = KeptVersion & { number: number }

/** The kept versions, the most recently live first: the active one leads. */
export function liveOrder({ versions, active_version }: Versions): KeptVersion[] {
  const active = versions.findIndex(({ version }) => version === active_version)
  if (active <= 0) return versions
  // an earlier release left those that it rolled back in front of the active one
  return [
    ...versions.slice(active, active + 1),
    ...rolledBack(versions.slice(0, active)),
    ...versions.slice(active + 1),
  ]
}

/** The version that was live before another one, the active one unless named, and was not rolled back itself. */
export function versionBefore(list: Versions, version = list.active_version): number | undefined {
  const ordered = liveOrder(list)
  return ordered
    .slice(ordered.findIndex((kept) => kept.version === version) + 1)
    .find((kept) => kept.version !== version && !(kept.is_rolled_back ?? false))?.version
}

/** In the order in which they were published. */
export const byAge = (one: KeptVersion, other: KeptVersion): number =>
  one.created_at.getTime() - other.created_at.getTime() || one.version - other.version

/**
 * The kept versions with their numbers within the list. Those that an earlier release published have none: they count
 * on from the version before them.
 */
export function numberVersions(versions: readonly KeptVersion[]): NumberedVersion[] {
  const numbers = new Map<number, number>()
  let last = 0
  for (const { version, number } of versions.toSorted(byAge)) {
    last = number ?? last + 1
    numbers.set(version, last)
  }
  return versions.map((each) => ({ ...each, number: numbers.get(each.version) ?? last }))
}

export function noVersionBefore(version?: number): AppError {
  const named = version === undefined ? 'the active one' : 'the one that was named'
  return new AppError('CONFLICT', `There is no version before ${named}.`)
}

/** @throws AppError CONFLICT when the version is no longer kept */
export function keptVersion({ versions }: Pick<Versions, 'versions'>, version: number): NumberedVersion {
  const kept = numberVersions(versions).find((one) => one.version === version)
  if (!kept) throw new AppError('CONFLICT', `Version ${version} is no longer kept.`)
  return kept
}

/**
 * The kept versions after a rollback. What was live after its target counts as rolled back; a target that was rolled
 * back itself is live again, and says nothing about the others.
 */
export function rollBackTo(target: number, list: Versions): KeptVersion[] {
  const ordered = liveOrder(list)
  const at = ordered.findIndex(({ version }) => version === target)
  const later = ordered.slice(0, at)
  return ordered
    .slice(at, at + 1)
    .flatMap(({ is_rolled_back = false, ...live }) => [
      live,
      ...(is_rolled_back ? later : rolledBack(later)),
      ...ordered.slice(at + 1),
    ])
}

function rolledBack(versions: KeptVersion[]): KeptVersion[] {
  return versions.map((version) => ({ ...version, is_rolled_back: true }))
}
