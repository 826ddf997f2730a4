import { describeSchema, type JsonSchema } from '@partsbus/contracts/json-schema'
import { pageRequest } from '@partsbus/contracts/paging'
import type { ResourceRoute } from '../../admin/resources/resource-routes.js'
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
const sourceId: Parameter = { ...id, name: 'source_id', description: 'the `id` of a source of the list' }
const erpId: Parameter = {
  in: 'path',
  name: 'erp_id',
  description: "the ERP's own identifier, percent-encoded; it may hold anything, slashes included",
  schema: { type: 'string', minLength: 1 },
  example: 'P%2F0001',
}

/** The parameters that a request schema describes, as a query carries them. */
function queryOf(schema: Schema, names: readonly string[]): Parameter[] {
  const properties = describeSchema(schema, 'input').schema.properties as Record<string, JsonSchema>
  return names.map((name) => {
    const { description, ...own } = properties[name] ?? {}
    return { in: 'query', name, description: words[name] ?? String(description ?? name), schema: own }
  })
}

export const pageParameters: readonly Parameter[] = queryOf(pageRequest, ['page', 'per_page'])

/** What stands in the path and the query of a resource route. */
export function routeParameters(route: ResourceRoute): Parameter[] {
  if (route.shape === 'list') return queryOf(route.command.request, Object.keys(route.query ?? {}))
  if (route.shape === 'list-of') return [id, ...pageParameters]
  if (route.shape === 'source') return [id, sourceId]
  if (route.shape === 'erp-id') return [erpId]
  if (!route.path.includes(':id')) return []
  return [id, ...queryOf(route.command.request, Object.keys(route.query ?? {}))]
}
