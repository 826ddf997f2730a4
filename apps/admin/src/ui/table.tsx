import { Fragment, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import styles from './table.module.css'
import { VisuallyHidden } from './visually-hidden.js'

/** A longer text is cut and opens on click. */
const CUT_AT = 80
const MAX_NAME = 120

export interface Column<Row> {
  key: string
  /** Empty above the buttons of the rows. */
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers stand right. */
  isNumber?: boolean
  /** The cell that names the row. */
  isName?: boolean
  /** The value by which the server or the page sorts; with `onSort` the head is a button. */
  isSortable?: boolean
  /** Stays in one line, like a time. */
  isShort?: boolean
  /** Left out below 700 px. */
  isMinor?: boolean
  /** Below the cell where columns are left out: what they say. */
  note?: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** Read by screen readers: what the rows are. */
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Instead of the body where there is no row. */
  empty?: ReactNode
  sort?: { key: string; isDown: boolean }
  onSort?: (key: string) => void
  /** Newer rows are under way: dimmed, nothing jumps. */
  isStale?: boolean
  rowProps?: (row: Row) => Record<string, unknown>
  /** The content below an open row, across all columns. */
  below?: (row: Row) => ReactNode | undefined
}

/** A plain table: sticky head, own scrolling where it is wide. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  sort,
  onSort,
  isStale = false,
  rowProps,
  below,
}: TableProps<Row>) {
  const t = useTexts()
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div
      className={classNames('scrolls', styles.region, isStale && styles.stale)}
      role="region"
      aria-label={`${caption}. ${t.kit.table.scroll}`}
      tabIndex={0}
    >
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={cellClass(column)} aria-sort={ariaSort(column.key, sort)}>
                {column.isSortable && onSort ? (
                  <button type="button" className={styles.sort} onClick={() => onSort(column.key)}>
                    {column.head}
                    {sort?.key === column.key && (
                      <span className={sort.isDown ? undefined : styles.up}>
                        <Icon name="down" />
                      </span>
                    )}
                  </button>
                ) : column.head === '' ? (
                  <VisuallyHidden>{t.kit.table.actions}</VisuallyHidden>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const opened = below?.(row)
            return (
              <Fragment key={rowKey(row)}>
                <tr {...rowProps?.(row)}>
                  {columns.map((column) =>
                    column.isName ? (
                      <th key={column.key} scope="row" className={cellClass(column)}>
                        <Cell column={column} row={row} />
                      </th>
                    ) : (
                      <td key={column.key} className={cellClass(column)}>
                        <Cell column={column} row={row} />
                      </td>
                    ),
                  )}
                </tr>
                {opened !== undefined && (
                  <tr>
                    <td colSpan={columns.length} className={styles.opened}>
                      {opened}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column: { cell, note }, row }: { column: Column<Row>; row: Row }) {
  return (
    <>
      {cell(row)}
      {note && <div className={styles.note}>{note(row)}</div>}
    </>
  )
}

const cellClass = ({
  head,
  isNumber,
  isMinor,
  isName,
  isShort,
}: Pick<Column<never>, 'head' | 'isNumber' | 'isMinor' | 'isName' | 'isShort'>) =>
  classNames(
    isNumber && styles.number,
    isShort && styles.short,
    isMinor && styles.minor,
    isName && styles.name,
    head === '' && styles.actions,
  )

function ariaSort(key: string, sort: TableProps<unknown>['sort']) {
  return sort?.key === key ? (sort.isDown ? 'descending' : 'ascending') : undefined
}

/** A name of any length as a link. */
export const cutName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)

/** A text of any length in a cell. */
export function LongText({ text }: { text: string }) {
  const t = useTexts()
  const [isWhole, setIsWhole] = useState(false)
  if (isWhole || text.length <= CUT_AT) return text
  return (
    <button type="button" className={styles.cut} title={t.kit.table.whole} onClick={() => setIsWhole(true)}>
      {`${text.slice(0, CUT_AT)}…`}
    </button>
  )
}
