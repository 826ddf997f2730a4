import type { ImportWarning } from '@partsbus/contracts/pricing-import/import-warning'
import type { Texts } from '../texts/en.js'

/**
 * A warning in words. Where most rows lack nothing but a brand, the columns may be right.
 * @param skipped the skipped rows of a preview by their code
 */
export function warningText(
  { code, message, count }: ImportWarning,
  words: Texts['priceLists']['format'],
  skipped: Readonly<Record<string, number>> = {},
): string {
  const brandless = skipped['NO_BRAND'] ?? 0
  if ((code === 'MANY_SKIPPED' || code === 'NOTHING_TO_IMPORT') && lacksBrands(count, skipped))
    return words.manyBrandless(count, brandless, [words.oneBrand, words.knownBrands])
  return words.warnings[code]?.(count) ?? message
}

/** Whether most of the rows that would not be imported have no brand. */
export const lacksBrands = (rows: number, skipped: Readonly<Record<string, number>>): boolean =>
  (skipped['NO_BRAND'] ?? 0) * 2 > rows
