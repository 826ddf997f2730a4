import type { ImportWarning } from '@partsbus/contracts/pricing-import/import-warning'
import { useTexts } from '../texts/language.js'
import { Notice } from '../ui/panel.js'
import { warningText } from './warning-text.js'

interface WarningNoticesProps {
  warnings: readonly ImportWarning[]
  /** of a preview: its skipped rows by their code */
  skipped?: Readonly<Record<string, number>>
}

/** Warnings of a preview or of an import, each in a line of its own. */
export function WarningNotices({ warnings, skipped }: WarningNoticesProps) {
  const words = useTexts().priceLists.format
  return warnings.map((warning) => (
    <Notice key={warning.code} tone="warning" title={warningText(warning, words, skipped)} />
  ))
}
