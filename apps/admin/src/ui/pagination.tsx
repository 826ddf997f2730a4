import { type FormEvent, useId } from 'react'
import { useTexts } from '../texts/language.js'
import { IconButton } from './button.js'
import styles from './pagination.module.css'
import { useFormats } from './use-formats.js'

interface PaginationProps {
  page: number
  perPage: number
  /** null where it was not counted */
  total: number | null
  /** How many rows this page has. */
  shown: number
  onPage: (page: number) => void
}

/** Range, previous, next, and "go to". Nothing at all where one page holds everything. */
export function Pagination({ page, perPage, total, shown, onPage }: PaginationProps) {
  const t = useTexts()
  const formats = useFormats()
  const id = useId()
  const pages = total === null ? undefined : Math.max(1, Math.ceil(total / perPage))
  const from = formats.number((page - 1) * perPage + Math.min(1, shown))
  const to = formats.number((page - 1) * perPage + shown)
  const go = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const asked = Math.trunc(Number(new FormData(event.currentTarget).get('page')))
    if (asked >= 1) onPage(Math.min(asked, pages ?? asked))
  }
  if (page === 1 && (pages === 1 || (pages === undefined && shown < perPage))) {
    return (
      <p className={styles.bar}>
        {total === null ? t.kit.pages.openRange(from, to) : t.kit.pages.range(from, to, formats.number(total))}
      </p>
    )
  }
  return (
    <nav className={styles.bar} aria-label={t.kit.pages.label}>
      <span className="number">
        {total === null ? t.kit.pages.openRange(from, to) : t.kit.pages.range(from, to, formats.number(total))}
      </span>
      <span className={styles.steps}>
        <IconButton
          isSmall
          icon="left"
          label={t.kit.pages.previous}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <form onSubmit={go} className={styles.steps}>
          <label htmlFor={id}>{t.kit.pages.goTo}</label>
          <input
            key={page}
            id={id}
            name="page"
            className={styles.input}
            inputMode="numeric"
            defaultValue={page}
            autoComplete="off"
          />
          {pages !== undefined && <span>{t.kit.pages.of(formats.number(pages))}</span>}
        </form>
        <IconButton
          isSmall
          icon="right"
          label={t.kit.pages.next}
          disabled={pages === undefined ? shown < perPage : page >= pages}
          onClick={() => onPage(page + 1)}
        />
      </span>
    </nav>
  )
}
