import { describe, expect, it } from '@jest/globals'
import { buildDocument } from './document.js'
import type { Content } from './complete-document.js'

/*
 * What generators of clients need beyond valid OpenAPI: they make types and files of schemas, constants of enumerated
 * values and functions of operations, and each of these needs a name that their language allows.
 */

interface Node {
  /** like `Product/properties/media/items` */
  place: string
  value: Record<string, unknown>
  isInside: boolean
}

const document = buildDocument('all', 'https://parts.example.org')
const { schemas } = document.components
const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_-]*$/

function nodesOf(place: string, value: unknown, isInside: boolean): Node[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, part]) => nodesOf(`${place}/${key}`, part, true))
  return Array.isArray(value) ? inner : [{ place, value: value as Node['value'], isInside }, ...inner]
}

const jsonOf = (place: string, content: Content | undefined): Node[] =>
  nodesOf(place, content?.['application/json']?.schema, true)

const nodes: Node[] = [
  ...Object.entries(schemas).flatMap(([name, schema]) => nodesOf(name, schema, false)),
  ...endpoints.flatMap(({ name, operation: { parameters = [], requestBody, responses } }) => [
    ...parameters.flatMap((parameter) => nodesOf(`${name} ${parameter.name}`, parameter.schema, true)),
    ...jsonOf(`${name} body`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => jsonOf(`${name} ${status}`, content)),
  ]),
]

describe('the document for generators of clients', () => {
  it('is looked through', () => {
    expect(nodes.length).toBeGreaterThan(1_000)
    expect(nodes.filter(({ value }) => 'enum' in value).length).toBeGreaterThan(30)
  })

  it('names every object: otherwise a generator makes up a name, or drops the second of two', () => {
    expect(nodes.filter(({ value, isInside }) => isInside && 'properties' in value).map(({ place }) => place)).toEqual(
      [],
    )
  })

  it('names every choice between values: otherwise its classes are called BrandAnyOfAnyOf', () => {
    const isNull = (schema: unknown): boolean => (schema as { type?: unknown }).type === 'null'
    const unnamed = nodes.filter(({ value: { anyOf, oneOf, title }, isInside }) => {
      const choices = [anyOf, oneOf].flat().filter((choice) => choice !== undefined && !isNull(choice))
      return isInside && choices.length > 1 && title === undefined
    })
    expect(unnamed.map(({ place }) => place)).toEqual([])
  })

  it('names every choice of a request body', () => {
    const unnamed = endpoints.filter(({ operation }) => {
      const schema = operation.requestBody?.content['application/json']?.schema
      return schema !== undefined && !('$ref' in schema) && !IDENTIFIER.test(String(schema.title))
    })
    expect(unnamed).toEqual([])
  })

  it('has names that differ in more than their case, which some file systems ignore', () => {
    const names = Object.keys(schemas)
    expect(names.filter((name) => !IDENTIFIER.test(name))).toEqual([])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  })

  it('describes no shape under two names', () => {
    const withoutTexts = (schema: unknown): string =>
      JSON.stringify(schema, (key, value: unknown) =>
        key === 'description' && typeof value === 'string' ? undefined : value,
      )
    const names = new Map<string, string[]>()
    for (const [name, schema] of Object.entries(schemas)) {
      const shape = withoutTexts(schema)
      names.set(shape, [...(names.get(shape) ?? []), name])
    }
    expect([...names.values()].filter(({ length }) => length > 1)).toEqual([])
  })

  it('names the values of an enumeration that are no identifiers', () => {
    const unnamed = nodes.filter(({ value }) => {
      const values = Array.isArray(value.enum) ? value.enum.map(String) : []
      if (values.every((one) => IDENTIFIER.test(one))) return false
      const names = Array.isArray(value['x-enum-varnames']) ? value['x-enum-varnames'].map(String) : []
      return new Set(names).size !== values.length || !names.every((name) => IDENTIFIER.test(name))
    })
    expect(unnamed.map(({ place }) => place)).toEqual([])
  })

  it('has no constant of another type than text, of which C# and PHP make no enumeration', () => {
    const constants = nodes.flatMap(({ value }) => [value.const, value.enum].flat()).filter((one) => one !== undefined)
    expect(constants.filter((one) => typeof one !== 'string')).toEqual([])
    expect(constants.length).toBeGreaterThan(50)
  })

  it('has operations with names of their own that are identifiers', () => {
    const ids = endpoints.map(({ operation }) => operation.operationId)
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length)
  })

  // 0.07 is no multiple of 0.01 for a validator that divides: Ajv refuses one in six prices with two decimals
  it('has no fraction in multipleOf', () => {
    expect(nodes.filter(({ value }) => 'multipleOf' in value && !Number.isInteger(value.multipleOf))).toEqual([])
  })

  // erp.md#details-422
  it('has the details of a refused batch', () => {
    const answers = endpoints.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'X-Result-Details'),
    )
    expect(answers.length).toBe(6)
    for (const { operation } of answers)
      expect(operation.responses[422]?.content?.['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/ViolationList',
      })
    expect(schemas.ViolationList?.properties).toMatchObject({ details: { $ref: '#/components/schemas/ResultDetails' } })
  })
})
