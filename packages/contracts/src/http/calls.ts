import type { z } from 'zod'
import type { BatchCommand, ItemOf } from '../message.js'
import type { AdminRows } from './admin.js'

/*
 * The calls of an API as a client sends them: fields with a default are optional. `Table` is the type of the rows of
 * the API. Types only.
 */

/** Calls that send a file as a form. */
export type UploadPath<Table = AdminRows> = {
  [Path in keyof Table]: Table[Path] extends { file: string } ? Path : never
}[keyof Table]

/** Calls that send JSON or nothing. */
export type JsonPath<Table = AdminRows> = {
  [Path in keyof Table]: Table[Path] extends { file: string }
    ? Table[Path] extends { body: z.ZodType }
      ? Path
      : never
    : Path
}[keyof Table]

type NameOf<Segment extends string> = Segment extends `:${infer Name}` ? Name : Segment extends '*' ? 'erp_id' : never
type NamesIn<Url> = Url extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesIn<Rest>
  : Url extends string
    ? NameOf<Url>
    : never

export type SentParams<Path extends keyof Table, Table = AdminRows> = Table[Path] extends {
  params: infer Schema extends z.ZodObject
}
  ? z.input<Schema>
  : { [Name in NamesIn<Path>]: Name extends 'erp_id' ? string : number }

export type SentQuery<Path extends keyof Table, Table = AdminRows> = Table[Path] extends {
  query: infer Schema extends z.ZodObject
}
  ? z.input<Schema>
  : undefined

export type SentBody<Path extends keyof Table, Table = AdminRows> = Table[Path] extends {
  command: infer Batch extends BatchCommand
}
  ? ReadonlyArray<ItemOf<Batch>>
  : Table[Path] extends { body: infer Schema extends z.ZodType }
    ? z.input<Schema> | (Table[Path] extends { isBodyOptional: true } ? undefined : never)
    : undefined

/** JSON, nothing, or the response itself where it is a file or a stream. */
export type ReceivedAnswer<Path extends keyof Table, Table = AdminRows> = Table[Path] extends { media: string }
  ? Response
  : Table[Path] extends { answer: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : undefined

type Option<Name extends string, Value> = undefined extends Value
  ? { [name in Name]?: Value }
  : {} extends Value
    ? { [name in Name]?: Value }
    : { [name in Name]: Value }

/** What a call sends; what it does not have, or may leave out, is optional. */
export type CallOptions<Path extends keyof Table, Table = AdminRows> = Option<'params', SentParams<Path, Table>> &
  Option<'query', SentQuery<Path, Table>> &
  Option<'body', SentBody<Path, Table>> & { signal?: AbortSignal | undefined }

/** The arguments of a call behind its path. */
export type CallArguments<Options> = {} extends Options ? [options?: Options] : [options: Options]
