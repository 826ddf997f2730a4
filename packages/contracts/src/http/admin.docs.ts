import { catalogDocs } from './admin-catalog.docs.js'
import { importDocs } from './admin-imports.docs.js'
import { overviewDocs } from './admin-overview.docs.js'
import { peopleDocs } from './admin-people.docs.js'
import { priceListDocs } from './admin-price-lists.docs.js'
import { settingsDocs } from './admin-settings.docs.js'
import { storageDocs } from './admin-storages.docs.js'
import type { AdminPath, AdminRows } from './admin.js'
import type { DocsOf } from './docs.js'

/** The group that the document shows the calls of a noun in. */
const groups = {
  'Overview and statistics': overviewDocs,
  Settings: settingsDocs,
  'Pick-up points and storages': storageDocs,
  'Price lists and imports': { ...priceListDocs, ...importDocs },
  'Catalog and stock': catalogDocs,
  Administrators: peopleDocs,
}

export const adminDocs: DocsOf<AdminRows> = {
  ...overviewDocs,
  ...settingsDocs,
  ...storageDocs,
  ...priceListDocs,
  ...importDocs,
  ...catalogDocs,
  ...peopleDocs,
}

export function tagOf(path: AdminPath): string {
  return Object.entries(groups).find(([, docs]) => path in docs)?.[0] ?? ''
}
