type Schema = Readonly<Record<string, unknown>>

const PREFIX = '#/components/schemas/'
const INSTANT = '2026-11-21T10:15:00.000Z'

/**
 * A value of a JSON Schema, composed of the examples of its fields. A field without one has its first allowed value.
 * @param schemas by name, for references
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const compose = (inner: unknown): unknown => exampleOf(inner as Schema, schemas)
  if ('example' in schema) return schema.example
  if (typeof schema.$ref === 'string') return compose(schemas[schema.$ref.slice(PREFIX.length)])
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('default' in schema) return schema.default
  const choices = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
  if (choices) return compose(choices.find(({ type }) => type !== 'null'))
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      return Object.fromEntries(fields.map(([name, field]) => [name, compose(field)]))
    }
    case 'array':
      return schema.items === undefined ? [] : [compose(schema.items)]
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    case 'string':
      return schema.format === 'date-time' ? INSTANT : 'text'
    default:
      return null
  }
}
