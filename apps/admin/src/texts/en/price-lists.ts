import { plural } from '../plural.js'

/** Price lists, the reading of their files, and their versions. */
const quotedAnyOf = (names: string[]) => names.map((name) => `“${name}”`).join(' or ')

export const priceLists = {
  onlyProblems: 'Only problems',
  nothing: 'No price list matches.',
  lastImport: 'Last import',
  dropHint: 'Drop a file on its list, or open the list to choose one: you see it before anything is imported.',
  dropNew: 'A new list is made for it. Nothing is imported before you have seen it.',
  offers: {
    caption: 'Live offers',
    article: 'Article',
    brand: 'Brand',
    whole: 'whole',
    onlyWhole: 'Article and brand are compared whole: a part finds nothing.',
    priceFrom: 'Price from',
    priceTo: 'Price to',
    version: (version: number) => `Version ${version}`,
    none: 'Nothing of this list is live.',
    nothing: 'No live offer matches.',
    download: { csv: 'Offers as CSV', xlsx: 'Offers as XLSX' },
  },
  caption: 'Price lists',
  name: 'Name',
  storage: 'Storage',
  state: 'State',
  active: 'Active',
  inactive: 'Inactive',
  mode: 'An import',
  modes: { replace: 'replaces the list', merge: 'adds to the list' },
  sourceCount: 'Sources',
  noSources: '–',
  upload: 'Upload',
  empty: 'No price lists yet',
  emptyText: 'Each price list is a storage of a supplier.',
  newList: 'New list',
  create: 'Create',
  storageHint: 'Offers are sold from a storage: as a rule, each supplier has its own.',
  showInSearch: 'Show in the search',
  showInSearchHint: 'Partners who name no pick-up point find its offers.',
  storageName: 'Name of a new storage',
  newStorage: 'A new storage',
  gone: (id: number) => `The price list ${id}`,
  toLists: 'All price lists',
  tabs: {
    label: 'Parts of the price list',
    live: 'Live',
    format: 'Format',
    sources: 'Sources',
    offers: 'Offers',
    changes: 'Changes',
    settings: 'Settings',
    history: 'Imports',
  },
  live: {
    versions: 'Versions',
    version: 'Version',
    rows: 'Offers',
    since: 'Imported',
    task: 'Import',
    isLive: 'Live',
    none: 'No file yet. Drop one here: nothing is imported before you have seen it.',
    rollback: 'Make it live',
    rollbackTitle: 'Make this version live?',
    rollbackText: (from: number, to: number) =>
      `Partners get ${plural.en(to, { one: 'offer', other: 'offers' })} instead of ${from}.`,
    rollbackPrices:
      'It has the markup and delivery days it was imported with: the settings take effect with the next import.',
    settings: 'Markup and days',
    terms: (markup: string, days: number | null) => {
      const time = days === null ? 'no delivery days' : plural.en(days, { one: 'delivery day', other: 'delivery days' })
      return `markup ${markup} %, ${time}`
    },
    rollbackSettings: (its: string, now: string) =>
      `It was imported with: ${its}. The settings are: ${now}. They take effect with the next import.`,
    rollbackAct: 'Make it live',
    uploadTitle: 'Upload a file',
    another: 'Drop the next file here: nothing is imported before you have seen it.',
  },
  uploading: {
    progress: (sent: string, total: string) => `${sent} of ${total}`,
    reading: 'Reading the file …',
    cancel: 'Cancel the upload',
    label: 'Upload',
    refused: {
      'too-large': (most: string) => `The file is larger than ${most} MB. Save it as .xlsx, or pack it as .zip.`,
      document: () => 'This is a document, not a table. Save the table as .xlsx, and upload that file.',
      picture: () => 'This is a picture. Upload the price list itself: .xlsx, .xls or .csv.',
    },
  },
  settings: {
    markup: 'Markup, %',
    deliveryDays: 'Delivery, days',
    deliveryHint: 'For rows without a delivery time of their own.',
    nextImport: 'Takes effect with the next import.',
    apply: {
      act: 'Apply to the live offers now',
      saveFirst: 'Save the changes first.',
      unapplied: 'The live offers are as they were: the settings take effect with the next import.',
      part: 'Apply it to the offers of the last file?',
      partText: (count: number, others: number) =>
        'The live offers came in several files. ' +
        `The last one has ${plural.en(count, { one: 'offer', other: 'offers' })}; ` +
        `${plural.en(others, { one: 'other one keeps its price', other: 'others keep their prices' })} ` +
        'until their file is imported.',
      partAct: 'Apply to this file',
      fileGone: 'The file of the live offers is no longer kept. Import a file to apply the change.',
    },
    guard: 'Refuse a file that is much shorter',
    guardHint: 'The smallest share of the live offers that a new file must have. Empty: no check.',
    percent: 'In percent',
    saved: 'The price list is saved',
    activate: 'Active',
    activateHint: 'The offers of an inactive list are not sold, and its sources do not run.',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'Its versions, imports and files are deleted with it. This cannot be undone.',
    storageStays: 'Its storage stays. Delete it too if it is no longer needed:',
    deleteAct: 'Delete the list',
    dangerous: 'Delete this list',
  },
  format: {
    lead: 'The file is shown as it will be read. The live list keeps its format until you save.',
    noFile: 'Drop a file to see how it is read.',
    lastFile: 'Use the file of the last import',
    file: 'File',
    encoding: 'Encoding',
    delimiter: 'Delimiter',
    sheet: 'Sheet',
    skipRows: 'Rows to skip',
    header: 'Header',
    headers: { found: 'found automatically', yes: 'there is one', no: 'there is none' },
    found: (value: string) => `found: ${value}`,
    foundNothing: 'found automatically',
    delimiters: { ';': 'semicolon', '\t': 'tab', ',': 'comma', '|': 'bar' } as Record<string, string>,
    headerRow: (row: string) => `Header in row ${row}`,
    noHeader: 'No header',
    fields: {
      brand: 'Brand',
      article: 'Article',
      name: 'Name',
      quantity: 'Quantity',
      price: 'Price',
      delivery_days: 'Days',
    },
    notUsed: 'not used',
    fieldFound: (field: string) => `${field} (found)`,
    fieldOrder: (field: string, order: number) => `${field} (${order})`,
    fallback: (field: string, [first = '', ...others]: string[]) =>
      `${field}: column ${first}, and where it is blank ${others.join(', then ')}.`,
    putFirst: (letter: string) => `Column ${letter} first`,
    column: (letter: string) => `Column ${letter}`,
    table: 'The file, and what each column holds',
    readAs: 'Read as',
    isSkipped: (reason: string) => `skipped: ${reason}`,
    pieces: (count: string) => `${count} ${count === '1' ? 'pc' : 'pcs'}`,
    dragHint: 'Drag it onto another column',
    oneBrand: 'One brand for all rows',
    oneQuantity: 'One quantity for all rows',
    groupBrand: 'Brand from the heading of the group above',
    groupBrandHint: 'For lists with a brand above its rows. Of nested headings the lowest one counts.',
    articleAsName: 'The article is the name, too',
    articleAsNameHint: 'For files without a column of names: partners do not find offers without one.',
    knownBrands: 'Find known brands',
    knownBrandsCount: (count: number) =>
      count === 0
        ? 'No brand is known yet, so none can be found.'
        : `${plural.en(count, { one: 'brand is', other: 'brands are' })} known.`,
    addBrands: 'Brands',
    knownBrandsHint:
      'In headings of groups, and in the names of rows without a brand: those of the page Brands, as whole words.',
    placeholders: (count: number) => (count === 0 ? 'Cells that mean nothing' : `Cells that mean nothing (${count})`),
    placeholdersHint: 'They count as blank: a dash, or “Example:*”, where * stands for any rest.',
    placeholdersOf: (field: string) => `${field}: cells that mean nothing`,
    missing: (fields: string) => `No column for: ${fields}. Choose it above the column.`,
    insteadOf: (field: string, remedies: string[]) =>
      `${field}: if the file has no such column, use ${quotedAnyOf(remedies)}.`,
    nameless: (remedy: string) => `The file has no column of names? Tick “${remedy}”.`,
    brandInName: (known: string, remedy: string) =>
      `“${known}” looks in the names, and no column is read as the name. ` +
      `If the column of the article holds the names, tick “${remedy}”, too.`,
    manyBrandless: (count: number, brandless: number, remedies: string[]) =>
      `${plural.en(count, { one: 'row', other: 'rows' })} with goods would not be imported, ` +
      `${brandless} of them for lack of a brand: try ${quotedAnyOf(remedies)}.`,
    reading: 'It is read as',
    readCaption: 'The first offers as they will be imported',
    row: 'Row',
    totals: (rows: number, importable: string, skipped: string) =>
      `${plural.en(rows, { one: 'row', other: 'rows' })} · ${importable} importable · ${skipped} skipped`,
    skippedBy: (reasons: string) => `Skipped: ${reasons}`,
    liveNow: (rows: number) => `Now live: ${plural.en(rows, { one: 'offer', other: 'offers' })}.`,
    changes: (added: string, gone: string, repriced: string) =>
      `The import would add ${added}, remove ${gone} and change the price of ${repriced}.`,
    priceGone: (count: string) => `Prices removed: ${count}.`,
    priceAdded: (count: string) => `Prices added: ${count}.`,
    isEstimate: '(estimated from a sample)',
    warnings: {
      SHEETS_UNREAD: (count) =>
        `${plural.en(count, { one: 'other sheet has', other: 'other sheets have' })} rows that are not read.`,
      NO_NAME: (count) =>
        `${plural.en(count, { one: 'row has', other: 'rows have' })} no product name: ` +
        'partners do not find these brands.',
      NO_PRICE: (count) => `${plural.en(count, { one: 'row has', other: 'rows have' })} no price.`,
      BRANDS_DOUBTFUL: (count) =>
        `The column of the brand holds ${plural.en(count, { one: 'value', other: 'different values' })}, ` +
        'like a column of article numbers. Is it the right one?',
      MANY_SKIPPED: (count) =>
        `${plural.en(count, { one: 'row', other: 'rows' })} with goods would not be imported. Are the columns right?`,
      LIST_SHRINKS: (count) =>
        'Less than half of the live offers would be left: ' +
        `${plural.en(count, { one: 'offer', other: 'offers' })} fewer.`,
      NOTHING_TO_IMPORT: () => 'The import would fail: no row can be imported.',
      TOO_FEW_ROWS: () => 'The import would be refused: the file has too few offers compared with the live list.',
    } as Record<string, (count: number) => string>,
    choices: (field: string, headings: string) => `${field} could also be read from: ${headings}.`,
    allSheets: 'all sheets with these columns',
    sheetRows: (name: string, rows: number) => `${name} (${plural.en(rows, { one: 'row', other: 'rows' })})`,
    duplicates: 'Rows with the same brand and article: keep',
    duplicateRows: { last: 'the last one', first: 'the first one', cheapest: 'the cheapest one in stock' },
    doubts: 'Import this file all the same?',
    doubtsText: 'Partners see the result at once.',
    doubtsBack: 'The version before can be made live again.',
    importAnyway: 'Import all the same',
    leftOver: 'This file has only rows that were skipped.',
    leftOverText: 'Imported as usual, they would replace the whole list.',
    mergeOnce: 'Add these rows to the list',
    tooShort: (setting: string) => `The file does not pass the check “${setting}”.`,
    changeGuard: 'Change it in the settings of the list',
    save: 'Save',
    saveAndImport: 'Save and import this file',
    importIt: 'Import this file',
    saved: 'The format is saved',
    expired: 'The file is no longer kept. Drop it again.',
    changedHere: 'The preview shows these settings; the list keeps its own until you save.',
  },
  skippedRows: (count: number) => plural.en(count, { one: 'row', other: 'rows' }),
}
