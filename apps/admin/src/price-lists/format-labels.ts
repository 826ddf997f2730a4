import type { Texts } from '../texts/en.js'

/** Path in a format → the name a person knows. */
export function formatLabels({ priceLists }: Texts): Record<string, string> {
  const { fields, ...words } = priceLists.format
  return {
    encoding: words.encoding,
    delimiter: words.delimiter,
    sheet: words.sheet,
    skip_rows: words.skipRows,
    header: words.header,
    duplicates: words.duplicates,
    known_brands: words.knownBrands,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, label]) => [`ignore_values.${name}`, words.placeholdersOf(label)]),
    ),
    ...Object.fromEntries(Object.entries(fields).map(([name, label]) => [`columns.${name}`, label])),
  }
}
