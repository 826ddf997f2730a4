import { useTexts } from '../texts/language.js'
import { classNames } from '../ui/class-names.js'
import { Notice, Panel } from '../ui/panel.js'
import { LongText } from '../ui/table.js'
import {
  chooseColumn,
  type Columns,
  type ColumnUse,
  columnLetter,
  columnUses,
  FIELDS,
  type MappedField,
  uniqueHeading,
} from './mapping.js'
import styles from './mapping-table.module.css'
import type { FilePreview } from './price-list-calls.js'

interface MappingTableProps {
  preview: FilePreview
  /** as the draft sets them */
  columns: Columns
  isStale: boolean
  onChange: (columns: Columns) => void
}

/** The first rows of the file; the choice above a column says what it holds. */
export function MappingTable({ preview, columns, isStale, onChange }: MappingTableProps) {
  const t = useTexts()
  const words = t.priceLists.format
  const uses = columnUses(preview)
  const { header, sample, problem } = preview
  const shown = sample.filter(({ row }) => row !== header?.row)
  const choose = (column: number, field: MappedField | undefined) =>
    onChange(chooseColumn(columns, uses, { column, field, heading: uniqueHeading(header, column) }))
  return (
    <Panel title={words.table} isFlush>
      {problem && (
        <div className={styles.problem} role="status">
          <Notice
            tone="danger"
            title={words.missing(problem.missing.map((name) => fieldName(name, words.fields)).join(', '))}
          >
            <p lang="en" className="small">
              {problem.message}
            </p>
          </Notice>
        </div>
      )}
      {/* the table scrolls by itself: a keyboard must be able to reach it */}
      <div
        className={classNames(styles.region, isStale && styles.stale)}
        role="region"
        aria-label={`${words.table}. ${t.kit.table.scroll}`}
        tabIndex={0}
      >
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.row}</th>
              {uses.map((use) => (
                <th key={use.column} scope="col">
                  <ColumnChoice use={use} onChoose={(field) => choose(use.column, field)} />
                </th>
              ))}
            </tr>
            {header && (
              <tr className={styles.header}>
                <th scope="row">{String(header.row)}</th>
                {uses.map(({ column }) => (
                  <td key={column}>
                    <LongText text={header.cells[column] ?? ''} />
                  </td>
                ))}
              </tr>
            )}
          </thead>
          <tbody>
            {shown.map(({ row, cells }) => (
              <tr key={row}>
                <th scope="row">{String(row)}</th>
                {uses.map(({ column }) => (
                  <td key={column}>
                    <LongText text={cells[column] ?? ''} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

const fieldName = (name: string, fields: Record<MappedField, string>): string =>
  name in fields ? fields[name as MappedField] : name

function ColumnChoice({
  use: { column, field, isFound },
  onChoose,
}: {
  use: ColumnUse
  onChoose: (field: MappedField | undefined) => void
}) {
  const t = useTexts()
  const words = t.priceLists.format
  const letter = columnLetter(column)
  return (
    <label className={styles.choice}>
      <span className="small muted">{words.column(letter)}</span>
      <select
        className={classNames(styles.select, field !== undefined && styles.used)}
        value={field ?? ''}
        onChange={({ target }) => onChoose(FIELDS.find((name) => name === target.value))}
      >
        <option value="" disabled={isFound}>
          {words.notUsed}
        </option>
        {FIELDS.map((name) => (
          <option key={name} value={name}>
            {name === field && isFound ? words.fieldFound(words.fields[name]) : words.fields[name]}
          </option>
        ))}
      </select>
    </label>
  )
}
