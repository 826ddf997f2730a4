import type { z } from 'zod'
import { bodyTooLarge } from '../app-error.js'
import type { Violations } from '../violation.js'

/** Bodies by what they show. */
export type Examples = Readonly<Record<string, unknown>>

/** What a status of a call means. */
export interface StatusDocs {
  description: string
  /** texts that its `message` may have; with a body of other fields use `examples` */
  messages?: readonly string[]
  examples?: Examples
  headers?: readonly string[]
}

/** A field of a form, as JSON Schema. */
export interface FormField {
  schema: Readonly<Record<string, unknown>>
  required?: true
  example?: string | number
}

/**
 * The longer texts of a call, in the OpenAPI document besides its row. A body without examples here is composed of the
 * examples of its fields.
 */
export interface Docs {
  /** paragraphs of Markdown: code spans and lists, no more */
  description: string
  /** what the answer is, without a period; `Removed` unless given where there is none */
  result?: string
  /** what the body is, where it neither creates nor changes a resource */
  body?: string
  requests?: Examples
  answers?: Examples
  form?: { description: string; fields: Readonly<Record<string, FormField>> }
  /** the paths and texts of an example of a 422 */
  violations?: Violations
  /** what a 422 means */
  invalid?: string
  /** the text of an example of a 409 of the admin API */
  conflict?: string
  /** statuses that do not follow from the row, or mean something else than usual */
  statuses?: Readonly<Record<number, StatusDocs>>
}

/** Docs of all rows of a table: one that is missing does not compile. */
export type DocsOf<Table> = Readonly<Record<keyof Table, Docs>>

/** A status with a schema of its own, as the document has it. */
export interface DescribedStatus extends StatusDocs {
  schema?: z.ZodType
}

/*
 * Texts that several nouns share.
 */
export const PAGED = 'Lists are ordered by `id`; `total` counts all rows that match.'
export const PATCHED = 'Fields that are not sent do not change.'

/** A form with a file, and these fields. */
export function form(description: string, fields: Readonly<Record<string, FormField>>): Docs['form'] {
  const schema = { type: 'string', format: 'binary', description: 'the file, with its name' }
  return { description, fields: { document: { schema, required: true, example: 'price.csv' }, ...fields } }
}

/** @param limit in bytes */
export function tooLarge(limit: number): StatusDocs {
  return {
    description: `The body is larger than ${limit / 1024 / 1024} MiB. The connection is closed.`,
    messages: [bodyTooLarge(limit)],
  }
}
