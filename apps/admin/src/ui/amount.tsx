import { useTexts } from '../texts/language.js'
import styles from './amount.module.css'
import { useFormats } from './use-formats.js'

/** A price, two decimals; a dash for none. */
export function Amount({ value }: { value: number | null | undefined }) {
  const formats = useFormats()
  const t = useTexts()
  return (
    <span className={styles.number}>
      {value === null || value === undefined ? t.general.none : formats.amount(value)}
    </span>
  )
}

/** A count. */
export function Count({ value, isEstimated = false }: { value: number; isEstimated?: boolean }) {
  const formats = useFormats()
  const t = useTexts()
  return (
    <span className={styles.number} title={isEstimated ? t.general.estimated : undefined}>
      {isEstimated && '≈ '}
      {formats.number(value)}
    </span>
  )
}
