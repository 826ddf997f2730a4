import { z } from 'zod'
import { integer } from '../field.js'
import { pageOf, pageRequest } from '../paging.js'
import { changeKinds } from './change-kinds.js'
import { keyFilter, liveOffer } from './price-list.js'

/** What an offer may differ in; brand and article are compared as the search does. */
export const comparedFields = ['price', 'quantity', 'delivery_days', 'name'] as const

/** Which changes between two versions. */
export const changeFilter = keyFilter.extend({
  from: integer(1).optional().describe('the older version; absent: the one that was live before `to`'),
  to: integer(1).optional().describe('the newer version; absent: the live one'),
  kind: z.enum(changeKinds).optional().describe('only those of this kind'),
})
export const changesQuery = pageRequest.extend(changeFilter.shape)

const side = liveOffer
  .pick({ name: true, quantity: true, price: true, delivery_days: true, row: true })
  .meta({ id: 'ComparedOffer' })

/** A row that differs between two versions. */
export const versionChange = z
  .object({
    kind: z.enum(changeKinds).meta({ example: 'dearer' }),
    brand: z.string().meta({ example: 'BOSCH' }),
    article: z.string().meta({ example: '0 986 424 590' }),
    changed: z.array(z.enum(comparedFields)).describe('what differs in a row of both versions'),
    price_percent: z
      .number()
      .nullable()
      .describe('of the price; null: there was none, or is none')
      .meta({ example: 5 }),
    old: side.nullable().describe('in `from`; null: it was added'),
    new: side.nullable().describe('in `to`; null: it is gone'),
  })
  .meta({ id: 'VersionChange' })

export type VersionChange = z.infer<typeof versionChange>

/** Rows by how they differ, of all that the filter by article and brand selects. */
export const changeCounts = z
  .object({
    added: z.int(),
    gone: z.int(),
    dearer: z.int(),
    cheaper: z.int(),
    price_added: z.int().describe('in both; without a price before'),
    price_gone: z.int().describe('in both; without a price now'),
    other: z.int(),
    unchanged: z.int(),
  })
  .meta({ id: 'ChangeCounts' })

export type ChangeCounts = z.infer<typeof changeCounts>

/** A page of what differs between two versions. */
export const versionChanges = pageOf(versionChange)
  .extend({ from: z.int(), to: z.int(), counts: changeCounts })
  .meta({ id: 'VersionChanges' })
