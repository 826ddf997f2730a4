import { z } from 'zod'

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1) as plain data. */
export type JsonSchema = { [key: string]: unknown }

export interface DescribedSchema {
  schema: JsonSchema
  /** the schemas referenced as `#/components/schemas/<name>` */
  components: Record<string, JsonSchema>
}

/** `input`: a request, where fields with a default are optional. `output`: a response, where they are present. */
export type Direction = 'input' | 'output'

const LOCAL = '#/$defs/'
const PUBLIC = '#/components/schemas/'

/** Describes a schema for API clients, without the artifacts of zod. */
export function describeSchema(schema: z.ZodType, io: Direction): DescribedSchema {
  const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: simplify }) as JsonSchema
  const components: Record<string, JsonSchema> = {}
  for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>))
    components[name] = publish(definition)
  return { schema: publish(own), components }
}

/** Rewrites what zod makes of a schema as clients and generators of clients need it. */
export function describeForClients(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  simplify({ zodSchema, jsonSchema })
  // generators make an enumeration of a constant, and C# has none of booleans: its client does not compile
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const
}

function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  // responses may gain fields, so only schemas that are strict in the contract are closed
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined)
    delete jsonSchema.additionalProperties
}

function publish(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(LOCAL) ? PUBLIC + value.slice(LOCAL.length) : value,
  )
  return JSON.parse(text) as JsonSchema
}
