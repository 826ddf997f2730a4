import { useTexts } from '../texts/language.js'
import { Notice } from '../ui/panel.js'
import { ServerText } from '../ui/server-text.js'
import type { MappedField } from './mapping.js'
import styles from './mapping-table.module.css'
import type { FilePreview } from './price-list-calls.js'

/** Why the file cannot be imported with this format: columns are missing, or it is read in the wrong way. */
export function MappingProblem({ problem }: { problem: NonNullable<FilePreview['problem']> }) {
  const words = useTexts().priceLists.format
  const message = <ServerText text={problem.message} />
  const missing = problem.missing.map((name) => fieldName(name, words.fields)).join(', ')
  const remedies: Record<string, string[]> = {
    brand: [words.oneBrand, words.groupBrand, words.knownBrands],
    quantity: [words.oneQuantity],
  }
  // the message would name the same fields again, and a remedy that is not on this page
  const isNamed = problem.code === 'COLUMNS_NOT_FOUND'
  return (
    <div className={styles.problem} role="status">
      <Notice tone="danger" title={missing === '' ? message : words.missing(missing)}>
        {missing !== '' && !isNamed && <p className="small">{message}</p>}
        {problem.missing.map(
          (name) =>
            remedies[name] && (
              <p key={name} className="small">
                {words.insteadOf(fieldName(name, words.fields), remedies[name])}
              </p>
            ),
        )}
      </Notice>
    </div>
  )
}

const fieldName = (name: string, fields: Record<MappedField, string>): string =>
  name in fields ? fields[name as MappedField] : name
