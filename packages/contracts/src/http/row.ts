import type { z } from 'zod'
import type { Caller } from '../administration/caller.js'
import type { Settings } from '../administration/settings.js'
import type { SettingsReference } from '../administration/settings-commands.js'
import type { BatchCommand, Command } from '../message.js'

/*
 * One row describes one call of an API: everything that the gateway, the client and the OpenAPI document know of it
 * besides its longer texts, which are in the file `<noun>.docs.ts` beside the rows.
 */

/** Of answers that are not JSON. */
type MediaType = 'text/event-stream' | 'text/csv' | typeof WORKBOOK_TYPE | 'application/octet-stream'
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What the rows of all three APIs have. */
export interface Row {
  /** of the operation in the OpenAPI document: generated clients name their function after it */
  name: string
  /** an imperative of a few words */
  summary: string
  /** of success; 200 unless given */
  status?: 201 | 204
  /** parameters of the path; without a schema `:name` is an id made by Partsbus and `*` is an ERP id */
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: readonly RequestHeader[]
  /** of the JSON body; absent: a body is ignored */
  body?: z.ZodType
  isBodyOptional?: true
  /** the body is `multipart/form-data` with a file in this field; with a `body` it may be JSON, too */
  file?: 'document'
  /** the JSON answer; absent: none, or the media type of `media` */
  answer?: z.ZodType
  media?: MediaType
  /** a single resource with a revision: its ETag, and `If-Match` of a change (admin.md#revisions) */
  isRevised?: true
  answerHeaders?: readonly ResponseHeader[]
  /** statuses with an answer of their own → its schema */
  refusals?: Readonly<Record<number, z.ZodType>>
  /** the command that answers the call; absent: the gateway has a handler of its own */
  command?: Command | BatchCommand
  /** how long the services may take in ms, where the default does not fit */
  timeoutMs?: number
  /** a POST that changes nothing, so it is answered during maintenance (admin.md#maintenance) */
  readsOnly?: true
  /** a change that ends maintenance or that a restored backup needs, so it is made during maintenance, too */
  servesMaintenance?: true
}

/** Headers that a call reads besides the token. */
export type RequestHeader =
  | 'X-Error-Policy'
  | 'X-Result-Details'
  | 'X-Update-Mode'
  | 'X-Full-Sync'
  | 'If-Match'
  | 'Last-Event-ID'
/** Headers of an answer besides those of every answer. */
export type ResponseHeader = 'X-Suppliers'

/** A call of the ERP API. The request of its command has the parameters, the query and the fields of the body. */
export interface ErpRow extends Row {
  /** its body goes to the service as bytes, and `GET /batches` lists it (erp.md#batch-list) */
  isBatch?: true
  /** writes stock or prices, so their storage and point must be set (erp.md#stocks-configured) */
  writesStock?: true
}

/** The least role that may make a call; each includes those before it (admin.md#roles). */
export const roles = ['nobody', 'viewer', 'manager', 'owner'] as const
export type Role = (typeof roles)[number]

/** A request of the admin API that passed the checks of its row. */
export interface CheckedInput {
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body: Readonly<Record<string, unknown>>
}

/**
 * A call of the admin API. The request of its command consists of the parameters of the path, the query and the fields
 * of the body; the body of a PATCH is its field `patch`.
 */
export interface AdminRow extends Row {
  role: Role
  command?: Command
  /** of a change by another service than that of the audit log: the action in the audit log (admin.md#audit) */
  audit?: string
  /** of a change that creates another kind of resource: the name of its id in the audit log */
  created?: string
  /** where the answer is one field of the reply of the command */
  answerField?: string
  /** makes the request of the command where it is not what was sent. @throws AppError CONTRACT_VIOLATION */
  toRequest?: (input: CheckedInput, caller: Caller) => object
  /** makes the answer where it is not the reply. @throws AppError CONTRACT_VIOLATION */
  toAnswer?: (reply: object, input: CheckedInput, settings: Settings) => unknown
  /** its ETag is a digest of the answer: pages ask often, and it rarely changes */
  isDigested?: true
  /** the command takes the name of the administrator as `created_by` */
  namesCreator?: true
  /** of a change that the service of the audit log records itself: the command takes who asked as `caller` */
  namesCaller?: true
  /** fields of the request of the command that the call does not have */
  fixed?: Readonly<Record<string, unknown>>
  /** of a deletion: the kind of resource that settings may refer to */
  settingsReference?: SettingsReference
  /** of a change after which something may refer to a storage of another service: where the call names the storage */
  namesStorage?: 'storage_id' | 'path'
  /** a body of another media type than JSON is ignored */
  ignoresOtherMedia?: true
  /** waits for suppliers, sources or slow services, so it must not hold up what does not (rules.md#overload) */
  waitsForOthers?: true
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/** Rows by method and path, which begins behind the prefix of the API. */
export type Rows<Each extends Row> = Readonly<Record<`${Method} /${string}`, Each>>
