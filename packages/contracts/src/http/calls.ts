import type { z } from 'zod'
import type { AdminPath, AdminRows, AnswerOf } from './admin.js'

/*
 * The calls of the admin API as a client sends them: fields with a default are optional. Types only.
 */

/** Calls that send a file as a form. */
export type UploadPath = {
  [Path in AdminPath]: AdminRows[Path] extends { file: string } ? Path : never
}[AdminPath]

/** Calls that send JSON or nothing. */
export type JsonPath = {
  [Path in AdminPath]: AdminRows[Path] extends { file: string }
    ? AdminRows[Path] extends { body: z.ZodType }
      ? Path
      : never
    : Path
}[AdminPath]

type NameOf<Segment extends string> = Segment extends `:${infer Name}` ? Name : Segment extends '*' ? 'erp_id' : never
type NamesIn<Url extends string> = Url extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesIn<Rest>
  : NameOf<Url>

export type SentParams<Path extends AdminPath> = AdminRows[Path] extends {
  params: infer Schema extends z.ZodObject
}
  ? z.input<Schema>
  : { [Name in NamesIn<Path>]: Name extends 'erp_id' ? string : number }

export type SentQuery<Path extends AdminPath> = AdminRows[Path] extends {
  query: infer Schema extends z.ZodObject
}
  ? z.input<Schema>
  : undefined

export type SentBody<Path extends AdminPath> = AdminRows[Path] extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema> | (AdminRows[Path] extends { isBodyOptional: true } ? undefined : never)
  : undefined

/** JSON, nothing, or the response itself where it is a file or a stream. */
export type ReceivedAnswer<Path extends AdminPath> = AdminRows[Path] extends { media: string }
  ? Response
  : AnswerOf<Path>
