import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useCall } from '../calls/use-call.js'
import { columnLetter } from '../price-lists/column-letter.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { DownloadLinks } from '../ui/download-links.js'
import { Field } from '../ui/field.js'
import { CheckFilter, ChoiceFilter, Filters } from '../ui/filters.js'
import { Panel } from '../ui/panel.js'
import { ServerText } from '../ui/server-text.js'
import { Loaded, Skeleton } from '../ui/state.js'
import { type Column, LongText, Table } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import { type SkippedRow, type Task } from './import-calls.js'
import { isFinal } from './poll-import.js'

const PER_PAGE = 100

/** The rows that were left out, with the reason: by code, from any row on. */
export function SkippedRows({ task }: { task: Task }) {
  const t = useTexts()
  const formats = useFormats()
  const { code, correctable, after_row } = useSearch({ from: '/frame/imports/$id' })
  const navigate = useNavigate({ from: '/imports/$id' })
  const rows = useCall('GET /import-tasks/:id/skipped', {
    params: { id: task.id },
    query: { code, correctable: correctable || undefined, after_row, per_page: PER_PAGE },
  })
  if (task.skipped_rows === 0) {
    return (
      <Panel title={t.imports.rowsSkipped.title}>
        <p className="muted">{isFinal(task) ? t.imports.rowsSkipped.none : t.imports.rowsSkipped.noneYet}</p>
      </Panel>
    )
  }
  const goTo = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Math.trunc(Number(new FormData(event.currentTarget).get('row')))
    void navigate({ search: (old) => ({ ...old, after_row: typed > 0 ? typed : undefined }) })
  }
  return (
    <Panel
      title={t.imports.rowsSkipped.title}
      isFlush
      actions={
        <DownloadLinks
          path={`/import-tasks/${task.id}/skipped`}
          // the file has every reason, whichever is looked at
          query={{ correctable }}
          labels={t.imports.rowsSkipped.download}
        />
      }
    >
      <Filters label={t.imports.rowsSkipped.title} isInset>
        <ChoiceFilter
          label={t.imports.rowsSkipped.reason}
          all={t.imports.rowsSkipped.all}
          value={code === '' ? undefined : code}
          options={Object.entries(task.skipped_by_code).map(([value, count]) => ({
            value,
            label: `${t.imports.rowsSkipped.codes[value] ?? value} (${formats.number(count)})`,
          }))}
          onChange={(next) =>
            void navigate({ search: (old) => ({ ...old, code: next ?? '', after_row: undefined }), replace: true })
          }
        />
        <CheckFilter
          label={t.imports.rowsSkipped.correctable}
          isOn={correctable}
          onChange={(next) =>
            void navigate({ search: (old) => ({ ...old, correctable: next, after_row: undefined }), replace: true })
          }
        />
        <form onSubmit={goTo}>
          <Field label={t.imports.rowsSkipped.goTo}>
            {(control) => (
              <input {...control} key={after_row} name="row" inputMode="numeric" defaultValue={after_row} />
            )}
          </Field>
        </form>
      </Filters>
      <Loaded from={rows} part="import-tasks" skeleton={<Skeleton lines={10} />}>
        {({ data, header }) => (
          <>
            <Table
              caption={t.imports.rowsSkipped.title}
              columns={columns(t, formats.number, data, header?.cells ?? [])}
              rows={data}
              rowKey={({ row }) => row}
              isStale={rows.isPlaceholderData}
              empty={<p className="muted">{t.imports.rowsSkipped.none}</p>}
            />
            <div className="actions">
              {after_row !== undefined && (
                <Button
                  kind="quiet"
                  onClick={() => void navigate({ search: (old) => ({ ...old, after_row: undefined }) })}
                >
                  {t.imports.rowsSkipped.first}
                </Button>
              )}
              {data.length === PER_PAGE && (
                <Button onClick={() => void navigate({ search: (old) => ({ ...old, after_row: data.at(-1)?.row }) })}>
                  {t.imports.rowsSkipped.next}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function columns(
  t: ReturnType<typeof useTexts>,
  number: (value: number) => string,
  rows: readonly SkippedRow[],
  names: readonly string[],
): Column<SkippedRow>[] {
  const widest = Math.max(names.length, ...rows.map(({ cells }) => cells.length))
  return [
    {
      key: 'row',
      head: t.imports.rowsSkipped.row,
      isNumber: true,
      isName: true,
      cell: ({ row, sheet, sheet_row }) => (sheet === undefined ? number(row) : `${sheet}!${sheet_row}`),
    },
    {
      key: 'reason',
      head: t.imports.rowsSkipped.reason,
      cell: ({ code, message }) =>
        code === 'DUPLICATE' ? message : (t.imports.rowsSkipped.codes[code] ?? <ServerText text={message} />),
    },
    ...Array.from({ length: widest }, (_, at): Column<SkippedRow> => ({
      key: `cell ${at}`,
      head: names[at]?.trim() || t.imports.rowsSkipped.cell(columnLetter(at)),
      cell: ({ cells }) => <LongText text={cells[at] ?? ''} />,
    })),
  ]
}
