import type { Row } from '@partsbus/contracts/http/row'
import { describeSchema, type JsonSchema } from '@partsbus/contracts/json-schema'
import type { Parameter, Schema } from './operation.js'

const words: Readonly<Record<string, string>> = {
  page: 'which page, from 1',
  per_page: 'rows of a page',
  category_id: 'products linked to this category',
  product_erp_id: 'supplies of this product',
  storage_id: 'supplies in this storage',
  pick_up_point_id: 'supplies at this pick-up point',
  price_list_id: 'imports of this list',
  status: 'only those in this state; absent: all',
}

const id: Parameter = {
  in: 'path',
  name: 'id',
  description: 'an id made by Partsbus; anything else is answered 404',
  schema: { type: 'integer', minimum: 1 },
  example: 1,
}
const idTexts: Readonly<Record<string, string>> = { source_id: 'the `id` of a source of the list' }
const erpId: Parameter = {
  in: 'path',
  name: 'erp_id',
  description: "the ERP's own identifier, percent-encoded; it may hold anything, slashes included",
  schema: { type: 'string', minLength: 1 },
  example: 'P%2F0001',
}

/** The parameters that a schema describes, as a path or a query carries them. */
function parametersOf(schema: Schema, location: 'path' | 'query'): Parameter[] {
  const properties = describeSchema(schema, 'input').schema.properties as Record<string, JsonSchema>
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    in: location,
    name,
    description: words[name] ?? String(description ?? name),
    schema: own,
  }))
}

/** The parameters of a call. @param exampleId the `id` in the example of the path */
export function routeParameters(url: string, row: Row, exampleId = 1): Parameter[] {
  return [
    ...(row.params ? parametersOf(row.params, 'path') : pathParameters(url, exampleId)),
    ...(row.query ? parametersOf(row.query, 'query') : []),
  ]
}

function pathParameters(url: string, exampleId: number): Parameter[] {
  return [...url.matchAll(/:(\w+)|\*/g)].map(([, name]) => {
    if (name === undefined) return erpId
    if (name === 'id') return { ...id, example: exampleId }
    return { ...id, name, description: idTexts[name] ?? id.description }
  })
}
