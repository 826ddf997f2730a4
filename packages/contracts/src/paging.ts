import { z } from 'zod'
import { integer } from './field.js'

/** `?page=1&per_page=50` of every list (admin.md#lists). */
export const pageRequest = z.object({
  page: integer(1, 1_000_000).default(1).describe('which page, from 1'),
  per_page: integer(1, 500).default(50).describe('rows of a page'),
})

export type PageRequest = z.infer<typeof pageRequest>

/** Long lists: `?after_id=` continues behind an id at the same cost for every page (admin.md#keyset). */
export const keysetRequest = pageRequest.extend({
  after_id: integer(0).optional().describe('rows behind this id, instead of a page number'),
})

export type KeysetRequest = z.infer<typeof keysetRequest>

/** `{data, total, page, per_page}` of one kind of row; a row with a name makes it a `<name>Page`. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  const page = z.object({ data: z.array(row), total: z.int(), page: z.int(), per_page: z.int() })
  const id = row.meta()?.id
  return id === undefined ? page : page.meta({ id: `${id}Page` })
}

export interface Page<Row> {
  data: Row[]
  total: number
  page: number
  per_page: number
}
