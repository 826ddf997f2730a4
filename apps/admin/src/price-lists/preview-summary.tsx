import { WarningNotices } from '../imports/warning-notices.js'
import { useTexts } from '../texts/language.js'
import { Amount, Count } from '../ui/amount.js'
import { Panel } from '../ui/panel.js'
import { type Column, LongText, Table } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import { lacksNamesWithBrands } from './preview-doubts.js'
import type { FilePreview } from './price-list-calls.js'

type Offer = FilePreview['rows'][number]

/** The result that an import of the file would have. */
export function PreviewSummary({ preview }: { preview: FilePreview }) {
  const t = useTexts()
  const formats = useFormats()
  const words = t.priceLists.format
  const { totals, skipped_by_code, live_rows, changes, problem, rows } = preview
  if (problem !== undefined) return <PreviewHints preview={preview} />
  const reasons = Object.entries(skipped_by_code).map(
    ([code, count]) => `${t.imports.rowsSkipped.codes[code] ?? code} ${formats.number(count)}`,
  )
  return (
    <>
      <Panel>
        <div className="stack-tight" role="status">
          <p className="number">
            {words.totals(totals.rows, formats.number(totals.importable), formats.number(totals.skipped))}
          </p>
          {reasons.length > 0 && <p className="muted">{words.skippedBy(reasons.join(', '))}</p>}
          {live_rows > 0 && <p className="muted">{words.liveNow(live_rows)}</p>}
          {live_rows > 0 && changes !== null && <Changes changes={changes} />}
        </div>
      </Panel>
      <PreviewHints preview={preview} />
      <Panel title={words.reading} isFlush>
        <Table
          caption={words.readCaption}
          columns={columns(t, preview.shown_brands)}
          rows={rows}
          rowKey={({ row }) => row}
        />
      </Panel>
    </>
  )
}

/** Counted as between two versions: a price that is gone is no other price. */
function Changes({ changes }: { changes: NonNullable<FilePreview['changes']> }) {
  const words = useTexts().priceLists.format
  const { number } = useFormats()
  const { added, gone, repriced, price_added, price_gone, is_estimate } = changes
  return (
    <p className="muted number">
      {words.changes(number(added), number(gone), number(repriced - price_added - price_gone))}
      {price_gone > 0 && ` ${words.priceGone(number(price_gone))}`}
      {price_added > 0 && ` ${words.priceAdded(number(price_added))}`}
      {is_estimate && ` ${words.isEstimate}`}
    </p>
  )
}

/** What to know before the import: warnings, and other columns that fit as well. */
function PreviewHints({ preview }: { preview: FilePreview }) {
  const { warnings, choices, columns: read, skipped_by_code } = preview
  const words = useTexts().priceLists.format
  const isNameless = read.name === undefined && warnings.some(({ code }) => code === 'NO_NAME')
  return (
    <>
      <WarningNotices warnings={warnings} skipped={skipped_by_code} />
      {isNameless && <p className="muted">{words.nameless(words.articleAsName)}</p>}
      {lacksNamesWithBrands(preview) && (
        <p className="muted">{words.brandInName(words.knownBrands, words.articleAsName)}</p>
      )}
      {Object.entries(choices).map(([field, others]) => (
        <p key={field} className="muted">
          {words.choices(
            words.fields[field as keyof typeof words.fields] ?? field,
            others.map(({ heading }) => heading).join(', '),
          )}
        </p>
      ))}
    </>
  )
}

const columns = (t: ReturnType<typeof useTexts>, shown: FilePreview['shown_brands']): Column<Offer>[] => {
  const { fields, row: head } = t.priceLists.format
  return [
    {
      key: 'row',
      head,
      isNumber: true,
      cell: ({ row, sheet, sheet_row }) =>
        sheet === undefined ? <Count value={row} /> : <LongText text={`${sheet}!${sheet_row}`} />,
    },
    { key: 'brand', head: fields.brand, cell: ({ brand }) => <LongText text={shown[brand] ?? brand} /> },
    { key: 'article', head: fields.article, isName: true, cell: ({ article }) => <LongText text={article} /> },
    { key: 'name', head: fields.name, cell: ({ name }) => <LongText text={name} /> },
    { key: 'quantity', head: fields.quantity, isNumber: true, cell: ({ quantity }) => <Count value={quantity} /> },
    { key: 'price', head: fields.price, isNumber: true, cell: ({ price }) => <Amount value={price} /> },
    {
      key: 'days',
      head: fields.delivery_days,
      isNumber: true,
      cell: ({ delivery_days }) => (delivery_days === null ? t.general.none : <Count value={delivery_days} />),
    },
  ]
}
