import type { z } from 'zod'
import { catalogOperations } from './catalog-operations.js'
import type { Operation } from './operation.js'
import type { AdminPath } from './paths.js'
import { peopleOperations } from './people-operations.js'
import { overviewOperations } from './overview-operations.js'
import { pricingOperations } from './pricing-operations.js'
import { searchOperations } from './search-operations.js'
import { settingsOperations } from './settings-operations.js'
import { stockOperations } from './stock-operations.js'

/**
 * Every call of the admin API. The gateway's routes, the OpenAPI document and the types of the client are made from
 * this table.
 */
export const adminOperations = {
  ...overviewOperations,
  ...settingsOperations,
  ...stockOperations,
  ...searchOperations,
  ...pricingOperations,
  ...catalogOperations,
  ...peopleOperations,
} satisfies Record<AdminPath, Operation>

export type AdminOperations = typeof adminOperations

/** The input of a call's handler, checked by its schemas. */
export type QueryOf<Path extends AdminPath> = Parsed<AdminOperations[Path], 'query'>
export type BodyOf<Path extends AdminPath> = Parsed<AdminOperations[Path], 'body'>
/** The JSON answer of a call. */
export type AnswerOf<Path extends AdminPath> = Parsed<AdminOperations[Path], 'answer'>

type Parsed<Row, Part extends string> = Row extends { [name in Part]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined
