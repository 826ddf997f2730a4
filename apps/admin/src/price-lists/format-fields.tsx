import { Link } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Chips } from '../ui/chips.js'
import { Check, Field, OptionField } from '../ui/field.js'
import { FIELDS, fieldColumns, isArticleName, rowName, setArticleName } from './mapping.js'
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
        <OptionField
          label={words.sheet}
          value={typeof format.sheet === 'string' && format.sheet !== 'auto' ? format.sheet : ''}
          options={[
            { value: '', label: found(format.sheet === 'all' ? null : preview.sheet) },
            { value: 'all', label: words.allSheets },
            ...preview.sheet_details.map(({ name, rows }) => ({
              value: name,
              label: rows === null ? name : words.sheetRows(name, rows),
            })),
          ]}
          onChange={(sheet) => onChange({ ...format, sheet: sheet === '' ? 'auto' : sheet })}
        />
      ) : (
        <>
          <OptionField
            label={words.encoding}
            value={format.encoding ?? 'auto'}
            options={[
              { value: 'auto', label: found(preview.encoding) },
              ...ENCODINGS.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(encoding) => onChange({ ...format, encoding })}
          />
          <OptionField
            label={words.delimiter}
            value={format.delimiter ?? 'auto'}
            options={[
              { value: 'auto', label: found(preview.delimiter && delimiterName(preview.delimiter)) },
              ...DELIMITERS.map((value) => ({ value, label: delimiterName(value) })),
            ]}
            onChange={(delimiter) => onChange({ ...format, delimiter })}
          />
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
      <OptionField
        label={words.header}
        hint={preview.header ? words.headerRow(rowName(preview.header)) : words.noHeader}
        value={format.header === undefined ? '' : format.header ? 'true' : 'false'}
        options={[
          { value: '', label: words.headers.found },
          { value: 'true', label: words.headers.yes },
          { value: 'false', label: words.headers.no },
        ]}
        onChange={(value) => {
          const { header: _, ...rest } = format
          onChange(value === '' ? rest : { ...rest, header: value === 'true' })
        }}
      />
      <OptionField
        label={words.duplicates}
        value={format.duplicates ?? 'last'}
        options={DUPLICATES.map((value) => ({ value, label: words.duplicateRows[value] }))}
        onChange={(duplicates) => onChange({ ...format, duplicates })}
      />
      <BrandField format={format} onChange={onChange} />
      <QuantityField format={format} onChange={onChange} />
      <BrandSources format={format} onChange={onChange} />
      <ArticleName preview={preview} format={format} onChange={onChange} />
      <IgnoredValues format={format} onChange={onChange} />
    </div>
  )
}

/** Where the brand of a row comes from that has none of its own. */
function BrandSources({ format, onChange }: Omit<FormatFieldsProps, 'preview'>) {
  const words = useTexts().priceLists.format
  const { brand, ...columns } = format.columns ?? {}
  const { known_brands: _, ...rest } = format
  return (
    <>
      <Check
        label={words.groupBrand}
        hint={words.groupBrandHint}
        isOn={typeof brand === 'object' && 'group' in brand}
        onChange={(isOn) => onChange({ ...format, columns: isOn ? { ...columns, brand: { group: true } } : columns })}
      />
      <Check
        label={words.knownBrands}
        hint={
          <>
            {words.knownBrandsHint} {format.known_brands === true && <KnownBrands />}
          </>
        }
        isOn={format.known_brands === true}
        onChange={(isOn) => onChange(isOn ? { ...rest, known_brands: true } : rest)}
      />
    </>
  )
}

/** Where nothing is known, no brand is found. */
function KnownBrands() {
  const words = useTexts().priceLists.format
  const brands = useCall('GET /brand-synonyms', { query: { per_page: 1 } })
  return (
    <>
      {brands.data && words.knownBrandsCount(brands.data.total)} <Link to="/brands">{words.addBrands}</Link>
    </>
  )
}

/** Cells that stand for nothing, like a dash. */
function IgnoredValues({ format, onChange }: Omit<FormatFieldsProps, 'preview'>) {
  const words = useTexts().priceLists.format
  const { ignore_values: ignored = {}, ...rest } = format
  const change = (field: (typeof FIELDS)[number], values: string[]) => {
    const { [field]: _, ...others } = ignored
    const next = values.length === 0 ? others : { ...others, [field]: values }
    onChange(Object.keys(next).length === 0 ? rest : { ...rest, ignore_values: next })
  }
  return (
    <details>
      <summary>{words.placeholders(Object.values(ignored).flat().length)}</summary>
      <div className="stack">
        <p className="muted small">{words.placeholdersHint}</p>
        {FIELDS.map((field) => (
          <Chips
            key={field}
            label={words.fields[field]}
            values={ignored[field] ?? []}
            onChange={(values) => change(field, values)}
            isChanged={false}
          />
        ))}
      </div>
    </details>
  )
}

/** For files without a column of names. */
function ArticleName({ preview, format, onChange }: FormatFieldsProps) {
  const words = useTexts().priceLists.format
  const { columns = {} } = format
  const isOn = isArticleName(columns)
  if (!isOn && fieldColumns(preview, columns, 'article').length === 0) return null
  return (
    <Check
      label={words.articleAsName}
      hint={words.articleAsNameHint}
      isOn={isOn}
      onChange={(next) => onChange({ ...format, columns: setArticleName(columns, preview, next) })}
    />
  )
}

function BrandField({ format, onChange }: Omit<FormatFieldsProps, 'preview'>) {
  const t = useTexts()
  const brand = format.columns?.brand
  const value = typeof brand === 'object' && 'value' in brand ? brand.value : ''
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
