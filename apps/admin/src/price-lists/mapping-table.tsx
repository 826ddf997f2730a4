import { type DragEvent, useId, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { classNames } from '../ui/class-names.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { LongText } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import { useSettledChoice } from '../ui/use-settled-choice.js'
import { columnLetter } from './column-letter.js'
import {
  chooseColumn,
  type Columns,
  type ColumnUse,
  columnUses,
  fieldColumns,
  FIELDS,
  isArticleName,
  lastFirst,
  type MappedField,
  rowName,
} from './mapping.js'
import { MappingProblem } from './mapping-problem.js'
import styles from './mapping-table.module.css'
import type { FilePreview } from './price-list-calls.js'

interface MappingTableProps {
  preview: FilePreview
  /** as the draft sets them */
  columns: Columns
  isStale: boolean
  onChange: (columns: Columns) => void
}

/** The first rows of the file; the choice above a column names its field. */
export function MappingTable({ preview, columns, isStale, onChange }: MappingTableProps) {
  const t = useTexts()
  const words = t.priceLists.format
  const uses = columnUses(preview, columns)
  const { header, sample, problem } = preview
  const own = FIELDS.filter((field) => field !== 'name' || !isArticleName(columns))
  const unused = own.filter((field) => !uses.some((use) => use.field === field))
  const shown = sample.filter(({ row }) => row !== header?.row)
  const choose = (column: number, field: MappedField | undefined, isMoved?: boolean) =>
    onChange(chooseColumn(columns, preview, { column, field, isMoved }))
  return (
    <Panel title={words.table} isFlush>
      {problem && <MappingProblem problem={problem} />}
      {unused.length > 0 && (
        <p className={styles.unused}>
          {unused.map((field) => (
            <FieldChip key={field} field={field} />
          ))}
        </p>
      )}
      {own.map((field) => {
        const letters = fieldColumns(preview, columns, field).map(columnLetter)
        const last = letters.at(-1)
        if (letters.length < 2 || last === undefined) return null
        return (
          <p key={field} className={styles.unused}>
            {words.fallback(words.fields[field], letters)}
            <Button isSmall onClick={() => onChange(lastFirst(columns, preview, field))}>
              {words.putFirst(last)}
            </Button>
          </p>
        )
      })}
      {/* the table scrolls by itself: a keyboard must be able to reach it */}
      <div
        className={classNames('scrolls', styles.region, isStale && styles.stale)}
        role="region"
        aria-label={`${words.table}. ${t.kit.table.scroll}`}
        tabIndex={0}
      >
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.row}</th>
              <th scope="col" rowSpan={header ? 2 : 1} className={styles.result}>
                {words.readAs}
              </th>
              {uses.map((use) => (
                <ColumnHead
                  key={use.column}
                  use={use}
                  onChoose={(field, isMoved) => choose(use.column, field, isMoved)}
                />
              ))}
            </tr>
            {header && (
              <tr className={styles.header}>
                <th scope="row">{rowName(header)}</th>
                {uses.map(({ column }) => (
                  <td key={column}>
                    <LongText text={header.cells[column] ?? ''} />
                  </td>
                ))}
              </tr>
            )}
          </thead>
          <tbody>
            {shown.map(({ row, cells, ...place }) => (
              <tr key={row}>
                <th scope="row">{rowName({ row, ...place })}</th>
                <td className={styles.result}>
                  <ReadAs preview={preview} row={row} />
                </td>
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

/** The type under which a field is dragged: nothing else may be dropped on a column. */
const FIELD_TYPE = 'application/x-partsbus-field'

/** What a column holds: chosen by its select, or by dragging the name of a field onto it. */
function ColumnHead({
  use,
  onChoose,
}: {
  use: ColumnUse
  onChoose: (field: MappedField | undefined, isMoved?: boolean) => void
}) {
  const [isOver, setIsOver] = useState(false)
  const isField = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(FIELD_TYPE)
  return (
    <th
      scope="col"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!isField(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        setIsOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // its parts are left and entered all the time
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
      }}
      onDrop={(event) => {
        if (!isField(event)) return
        event.preventDefault()
        setIsOver(false)
        const dropped = FIELDS.find((name) => name === event.dataTransfer.getData(FIELD_TYPE))
        if (dropped !== undefined && dropped !== use.field) onChoose(dropped, true)
      }}
    >
      <ColumnChoice use={use} onChoose={onChoose} />
    </th>
  )
}

function ColumnChoice({
  use: { column, field, isFound, order },
  onChoose,
}: {
  use: ColumnUse
  onChoose: (field: MappedField | undefined) => void
}) {
  const t = useTexts()
  const words = t.priceLists.format
  const id = useId()
  const choice = useSettledChoice(field ?? '', (value) => onChoose(FIELDS.find((name) => name === value)))
  return (
    <div className={styles.choice}>
      <div className={styles.line}>
        <label htmlFor={id} className="small muted">
          {words.column(columnLetter(column))}
        </label>
        {field !== undefined && <FieldChip field={field} />}
      </div>
      <select id={id} className={classNames(styles.select, field !== undefined && styles.used)} {...choice}>
        <option value="" disabled={isFound}>
          {words.notUsed}
        </option>
        {FIELDS.map((name) => (
          <option key={name} value={name}>
            {name !== field || (!isFound && order === undefined)
              ? words.fields[name]
              : isFound
                ? words.fieldFound(words.fields[name])
                : words.fieldOrder(words.fields[name], order ?? 1)}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A shortcut of the select for the mouse: a screen reader has the select. */
function FieldChip({ field }: { field: MappedField }) {
  const words = useTexts().priceLists.format
  return (
    <span
      className={styles.chip}
      draggable
      aria-hidden="true"
      title={words.dragHint}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(FIELD_TYPE, field)
        dataTransfer.effectAllowed = 'move'
      }}
    >
      {words.fields[field]}
    </span>
  )
}

/** The offer that a row becomes, or why it is left out. */
function ReadAs({ preview: { rows, rejected }, row }: { preview: FilePreview; row: number }) {
  const t = useTexts()
  const formats = useFormats()
  const words = t.priceLists.format
  const skipped = rejected.find((one) => one.row === row)
  if (skipped !== undefined)
    return <Mark tone="danger">{words.isSkipped(t.imports.rowsSkipped.codes[skipped.code] ?? skipped.message)}</Mark>
  const offer = rows.find((one) => one.row === row)
  if (offer === undefined) return null
  const { brand, article, quantity, price } = offer
  const amount = price === null ? [] : [formats.amount(price)]
  return [brand, article, words.pieces(formats.number(quantity)), ...amount].join(' · ')
}
