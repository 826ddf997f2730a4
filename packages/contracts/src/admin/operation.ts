import type { z } from 'zod'
import type { AdminPath } from './paths.js'

/** The least role that may make a call; each includes those before it (admin.md#roles). */
export const roles = ['nobody', 'viewer', 'manager', 'owner'] as const
export type Role = (typeof roles)[number]

/** Of answers that are not JSON. */
type MediaType = 'text/event-stream' | 'text/csv' | typeof WORKBOOK_TYPE | 'application/octet-stream'
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The parameters and the answer of a call of the admin API. */
export interface Operation {
  role: Role
  /** of success */
  status: 200 | 201 | 204
  /** parameters of the path; without a schema `:name` is an id made by Partsbus and `*` is an ERP id */
  params?: z.ZodObject
  query?: z.ZodObject
  /** of the JSON body; absent: a body is ignored */
  body?: z.ZodType
  isBodyOptional?: true
  /** a body of another media type than JSON is ignored */
  ignoresOtherMedia?: true
  /** the body is `multipart/form-data` with a file in this field; with a `body` it may be JSON, too */
  file?: 'document'
  /** the JSON answer; absent: none, or the media type of `media` */
  answer?: z.ZodType
  /** of an answer that is not JSON */
  media?: MediaType
  /** a single resource with a revision: its ETag, and `If-Match` of a change (admin.md#revisions) */
  isRevised?: true
  /** how long the services may take in ms, where the default does not fit */
  timeoutMs?: number
  /** waits for suppliers, sources or slow services, so it must not hold up what does not (rules.md#overload) */
  waitsForOthers?: true
}

/** Rows of the table; a path that {@link AdminPath} does not have does not compile. */
export type OperationRows = Partial<Record<AdminPath, Operation>>
