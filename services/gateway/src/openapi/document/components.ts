import { isDeepStrictEqual } from 'node:util'
import { type DescribedSchema, describeSchema, type Direction, type JsonSchema } from '@partsbus/contracts/json-schema'
import type { Schema } from '../operations/operation.js'

const PREFIX = '#/components/schemas/'

/**
 * The named schemas of a document. A name whose request and answer differ becomes two, `Name` for the answer and
 * `NameInput` for the request; so every answer is described before the first request.
 */
export class Components {
  private readonly answers = new Map<string, JsonSchema>()
  private readonly requests = new Map<string, JsonSchema>()

  /** Describes a schema and collects the schemas that it refers to. */
  describe(schema: Schema, io: Direction): JsonSchema {
    const described = withoutConstantBooleans(describeSchema(schema, io))
    if (io === 'output') {
      for (const [name, component] of Object.entries(described.components)) this.answers.set(name, component)
      return described.schema
    }
    const apart = this.namesApart(described.components)
    for (const [name, component] of Object.entries(described.components)) {
      if (apart.has(name) || !this.answers.has(name))
        this.requests.set(apart.has(name) ? `${name}Input` : name, redirect(component, apart))
    }
    return redirect(described.schema, apart)
  }

  /** Names the schema of a request. @returns the reference to it */
  name(name: string, schema: JsonSchema): JsonSchema {
    this.requests.set(name, schema)
    return { $ref: PREFIX + name }
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.answers, ...this.requests].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Names that differ from the answer's schema, or are used by an answer and refer to one that does. */
  private namesApart(components: Readonly<Record<string, JsonSchema>>): Set<string> {
    const apart = new Set<string>()
    for (let before = -1; before < apart.size;) {
      before = apart.size
      for (const [name, component] of Object.entries(components)) {
        const answer = this.answers.get(name)
        if (answer && !isDeepStrictEqual(answer, redirect(component, apart))) apart.add(name)
      }
    }
    return apart
  }
}

/** Generators make an enumeration of a constant, and C# has none of booleans: its client does not compile. */
function withoutConstantBooleans(described: DescribedSchema): DescribedSchema {
  return JSON.parse(
    JSON.stringify(described, (key, value: unknown) =>
      key === 'const' && typeof value === 'boolean' ? undefined : value,
    ),
  ) as DescribedSchema
}

function redirect(schema: JsonSchema, apart: ReadonlySet<string>): JsonSchema {
  if (apart.size === 0) return schema
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' && apart.has(value.slice(PREFIX.length)) ? `${value}Input` : value,
    ),
  ) as JsonSchema
}
