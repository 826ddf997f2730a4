import type { ImportWarning } from '@partsbus/contracts/pricing-import/import-warning'
import { useTexts } from '../texts/language.js'
import { Notice } from '../ui/panel.js'

/** Warnings of a preview or of an import, each in a line of its own. */
export function WarningNotices({ warnings }: { warnings: readonly ImportWarning[] }) {
  const words = useTexts().priceLists.format.warnings
  return warnings.map(({ code, message, count }) => (
    <Notice key={code} tone="warning" title={words[code]?.(count) ?? message} />
  ))
}
