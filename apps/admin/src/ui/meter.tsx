import styles from './meter.module.css'

/** A bar beside a figure that is written out: it adds nothing for a screen reader but the name. */
export function Meter({
  label,
  value,
  max,
  tone = 'accent',
}: {
  label: string
  value: number
  max: number
  tone?: 'accent' | 'good' | 'warning' | 'danger'
}) {
  return (
    <meter
      className={`${styles.meter} ${styles[tone]}`}
      aria-label={label}
      min={0}
      max={Math.max(max, 1)}
      value={value}
    />
  )
}

/** @param value undefined while the whole is not known */
export function Progress({ label, value, max }: { label: string; value: number | undefined; max: number }) {
  return <progress className={styles.progress} aria-label={label} max={Math.max(max, 1)} value={value} />
}
