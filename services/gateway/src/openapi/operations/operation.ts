import type { BatchCommand, Command } from '@partsbus/contracts/message'

export type Schema = Command['request']

/** Which token opens an endpoint; `none`: everybody. */
export type Security = 'erp' | 'b2b' | 'admin' | 'none'

export interface Example {
  summary: string
  value: unknown
}

export type HeaderName =
  | 'Retry-After'
  | 'ETag'
  | 'Cache-Control'
  | 'Content-Range'
  | 'X-Client-Address'
  | 'X-Suppliers'
  | 'Content-Disposition'

/** A response: its meaning, and its body if it has one. */
export interface Answer {
  description: string
  schema?: Schema
  examples?: Readonly<Record<string, Example>>
  /** of a body that is no JSON: media types that it may have */
  binary?: readonly string[]
  headers?: readonly HeaderName[]
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  description: string
  schema: Readonly<Record<string, unknown>>
  /** of a query or header; those of a path always are */
  required?: true
  example?: string | number | boolean
}

/** A JSON body: one schema, or a batch, which may be sent as a bare array or inside an object. */
export interface Body {
  description: string
  content: Schema | BatchCommand
  examples: Readonly<Record<string, Example>>
  /** may it be left out altogether */
  optional?: true
}

/** A body sent as `multipart/form-data`, by its fields. */
export interface Form {
  description: string
  fields: Readonly<
    Record<string, { schema: Readonly<Record<string, unknown>>; required: boolean; example?: string | number }>
  >
}

/** One endpoint as its caller sees it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** as in OpenAPI, with `{name}` for parameters */
  path: string
  tag: string
  summary: string
  /** paragraphs of Markdown: code spans and lists, no more */
  description: string
  security: Security
  parameters?: readonly Parameter[]
  body?: Body
  form?: Form
  answers: Readonly<Record<number, Answer>>
}
