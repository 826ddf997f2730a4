import { useTexts } from '../texts/language.js'
import { Field } from '../ui/field.js'
import type { FilePreview, PriceList } from './price-list-calls.js'

type Format = PriceList['format']

const ENCODINGS = ['utf-8', 'windows-1251', 'cp866', 'koi8-r', 'utf-16le', 'utf-16be'] as const
const DUPLICATES = ['last', 'first', 'cheapest'] as const
const DELIMITERS = [';', '\t', ',', '|'] as const
const MAX_SKIPPED_ROWS = 100_000
const MAX_QUANTITY = 2_147_483_647

interface FormatFieldsProps {
  preview: FilePreview
  format: Format
  onChange: (format: Format) => void
}

/** How the file is read before its columns count. What is not set is found in the file. */
export function FormatFields({ preview, format, onChange }: FormatFieldsProps) {
  const t = useTexts()
  const words = t.priceLists.format
  const found = (value: string | null) => (value === null ? words.foundNothing : words.found(value))
  const isWorkbook = preview.sheets.length > 0
  const delimiterName = (value: string) => words.delimiters[value] ?? value
  return (
    <div className="fields">
      {isWorkbook ? (
        <Field label={words.sheet}>
          {(control) => (
            <select
              {...control}
              value={typeof format.sheet === 'string' && format.sheet !== 'auto' ? format.sheet : ''}
              onChange={({ target }) => onChange({ ...format, sheet: target.value === '' ? 'auto' : target.value })}
            >
              <option value="">{found(format.sheet === 'all' ? null : preview.sheet)}</option>
              <option value="all">{words.allSheets}</option>
              {preview.sheet_details.map(({ name, rows }) => (
                <option key={name} value={name}>
                  {rows === null ? name : words.sheetRows(name, rows)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <>
          <Field label={words.encoding}>
            {(control) => (
              <select
                {...control}
                value={format.encoding ?? 'auto'}
                onChange={({ target }) => onChange({ ...format, encoding: target.value as Format['encoding'] })}
              >
                <option value="auto">{found(preview.encoding)}</option>
                {ENCODINGS.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={words.delimiter}>
            {(control) => (
              <select
                {...control}
                value={format.delimiter ?? 'auto'}
                onChange={({ target }) => onChange({ ...format, delimiter: target.value as Format['delimiter'] })}
              >
                <option value="auto">{found(preview.delimiter && delimiterName(preview.delimiter))}</option>
                {DELIMITERS.map((value) => (
                  <option key={value} value={value}>
                    {delimiterName(value)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      <Field label={words.skipRows}>
        {(control) => (
          <input
            {...control}
            type="number"
            min={0}
            max={MAX_SKIPPED_ROWS}
            value={format.skip_rows ?? 0}
            onChange={({ target }) =>
              onChange({
                ...format,
                skip_rows: Math.min(MAX_SKIPPED_ROWS, Math.max(0, Math.trunc(Number(target.value)))),
              })
            }
          />
        )}
      </Field>
      <Field label={words.header} hint={preview.header ? words.headerRow(String(preview.header.row)) : words.noHeader}>
        {(control) => (
          <select
            {...control}
            value={format.header === undefined ? '' : String(format.header)}
            onChange={({ target: { value } }) => {
              const { header: _, ...rest } = format
              onChange(value === '' ? rest : { ...rest, header: value === 'true' })
            }}
          >
            <option value="">{words.headers.found}</option>
            <option value="true">{words.headers.yes}</option>
            <option value="false">{words.headers.no}</option>
          </select>
        )}
      </Field>
      <Field label={words.duplicates}>
        {(control) => (
          <select
            {...control}
            value={format.duplicates ?? 'last'}
            onChange={({ target }) => onChange({ ...format, duplicates: target.value as Format['duplicates'] })}
          >
            {DUPLICATES.map((value) => (
              <option key={value} value={value}>
                {words.duplicateRows[value]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <BrandField format={format} onChange={onChange} />
      <QuantityField format={format} onChange={onChange} />
    </div>
  )
}

function BrandField({ format, onChange }: Omit<FormatFieldsProps, 'preview'>) {
  const t = useTexts()
  const brand = format.columns?.brand
  const value = typeof brand === 'object' && !Array.isArray(brand) ? brand.value : ''
  const change = (typed: string) => {
    const { brand: _, ...rest } = format.columns ?? {}
    onChange({ ...format, columns: typed === '' ? rest : { ...rest, brand: { value: typed } } })
  }
  return (
    <Field label={t.priceLists.format.oneBrand}>
      {(control) => (
        <input {...control} value={value} autoComplete="off" onChange={(event) => change(event.target.value)} />
      )}
    </Field>
  )
}

function QuantityField({ format, onChange }: Omit<FormatFieldsProps, 'preview'>) {
  const t = useTexts()
  const quantity = format.columns?.quantity
  const value = typeof quantity === 'object' && !Array.isArray(quantity) ? String(quantity.value) : ''
  const change = (typed: string) => {
    const { quantity: _, ...rest } = format.columns ?? {}
    const count = Math.min(MAX_QUANTITY, Math.max(0, Math.trunc(Number(typed))))
    onChange({ ...format, columns: typed === '' ? rest : { ...rest, quantity: { value: count } } })
  }
  return (
    <Field label={t.priceLists.format.oneQuantity}>
      {(control) => (
        <input
          {...control}
          type="number"
          min={0}
          max={MAX_QUANTITY}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}
