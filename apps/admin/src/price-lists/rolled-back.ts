import type { Version } from './price-list-calls.js'

/**
 * An older version was made live: its offers were made with the settings of its time.
 * @param versions the newest first
 */
export const isRolledBack = (versions: readonly Pick<Version, 'is_active'>[]): boolean =>
  versions.findIndex(({ is_active }) => is_active) > 0
