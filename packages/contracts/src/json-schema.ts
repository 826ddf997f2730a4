import { z } from 'zod'

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1) as plain data. */
export type JsonSchema = { [key: string]: unknown }

export interface DescribedSchema {
  schema: JsonSchema
  /** the named schemas it refers to as `#/components/schemas/<name>` */
  components: Record<string, JsonSchema>
}

/** `input` describes what a caller may send, `output` what an answer holds: defaults are optional in the one, present in the other. */
export type Direction = 'input' | 'output'

const LOCAL = '#/$defs/'
const PUBLIC = '#/components/schemas/'

/** Describes a schema for readers outside: what its checks demand, without the noise of how zod checks it. */
export function describeSchema(schema: z.ZodType, io: Direction): DescribedSchema {
  const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: simplify }) as JsonSchema
  const components: Record<string, JsonSchema> = {}
  for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>))
    components[name] = publish(definition)
  return { schema: publish(own), components }
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
  // answers may gain fields, so only what is closed in the contract is closed here
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined)
    delete jsonSchema.additionalProperties
}

function publish(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(LOCAL) ? PUBLIC + value.slice(LOCAL.length) : value,
  )
  return JSON.parse(text) as JsonSchema
}
