const id = {
  in: 'path' as const,
  name: 'id',
  required: true,
  description: 'an id made by Partsbus; anything else is answered 404',
  schema: { type: 'integer' as const, format: 'int64', minimum: 1 },
  example: 1,
}
const erpId = {
  in: 'path' as const,
  name: 'erp_id',
  required: true,
  description: "the ERP's own identifier, percent-encoded; it may hold anything, slashes included",
  schema: { type: 'string' as const, minLength: 1 },
  example: 'P%2F0001',
}
const descriptions: Readonly<Record<string, string>> = { source_id: 'the `id` of a source of the list' }

/** The parameters of a path without a schema: `:name` is an id made by Partsbus, and `*` is an ERP id. */
export function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)|\*/g)].map(([, name]) =>
    name === undefined ? erpId : { ...id, name, description: descriptions[name] ?? id.description },
  )
}
