import type { Version } from './price-list-calls.js'

export type Settings = Pick<Version, 'markup_percent' | 'delivery_days'>

/** Not of a version of an earlier release, nor of a merge into offers that were made with others. */
export const isKnown = (version: Partial<Settings>): version is Settings & { markup_percent: number } =>
  typeof version.markup_percent === 'number'

/** Whether there is anything to show: a markup, or days. */
export const hasSettings = (version: Settings): boolean =>
  isKnown(version) && (version.markup_percent !== 0 || version.delivery_days !== null)

/** Whether the offers were made with other settings than those of the list; undefined where that is not known. */
export const isMadeOtherwise = (version: Settings, list: Settings): boolean | undefined =>
  isKnown(version)
    ? version.markup_percent !== list.markup_percent || version.delivery_days !== list.delivery_days
    : undefined

/**
 * The live offers are not as the settings of the list would make them.
 * @param versions the newest first
 * @param isChanged the settings were changed here, and not applied since
 */
export function isUnapplied(
  versions: readonly (Settings & Pick<Version, 'is_active'>)[],
  list: Settings,
  isChanged: boolean,
): boolean {
  const live = versions.find(({ is_active }) => is_active)
  const isOther = live && isMadeOtherwise(live, list)
  // an older version was made live: its offers were made with the settings of its time
  return isOther ?? (isChanged || versions.findIndex(({ is_active }) => is_active) > 0)
}
