import type { z } from 'zod'
import { catalogRows } from './admin-catalog.js'
import { importRows } from './admin-imports.js'
import { overviewRows } from './admin-overview.js'
import { peopleRows } from './admin-people.js'
import { priceListRows } from './admin-price-lists.js'
import { settingsRows } from './admin-settings.js'
import { storageRows } from './admin-storages.js'

/** Every call under `/api/admin` (admin.md). */
export const adminRows = {
  ...overviewRows,
  ...settingsRows,
  ...storageRows,
  ...priceListRows,
  ...importRows,
  ...catalogRows,
  ...peopleRows,
}

export type AdminRows = typeof adminRows
export type AdminPath = keyof AdminRows
export const adminPaths = Object.keys(adminRows) as AdminPath[]

/** The input of a call's handler, checked by its schemas. */
export type QueryOf<Path extends AdminPath> = Parsed<AdminRows[Path], 'query'>
export type BodyOf<Path extends AdminPath> = Parsed<AdminRows[Path], 'body'>
/** The JSON answer of a call. */
export type AnswerOf<Path extends AdminPath> = Parsed<AdminRows[Path], 'answer'>

type Parsed<Each, Part extends string> = Each extends { [name in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined
