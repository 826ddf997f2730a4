import { exampleOf } from './example-of.js'

type JsonSchema = Record<string, unknown>

/** media type → body */
export type Content = Record<
  string,
  { schema?: JsonSchema; examples?: Record<string, { summary: string; value: unknown }> }
>

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** empty: open to everybody */
  security: Array<Record<string, string[]>>
  parameters?: Array<{ name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }>
  requestBody?: { description: string; required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

/** An OpenAPI 3.1 document as plain data, as far as this gateway writes it. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  servers: Array<{ url: string; description: string }>
  tags: ReadonlyArray<{ name: string; description: string }>
  /** path → method in lower case → operation */
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, { type: string }> }
}

const MAX_INT32 = 2 ** 31 - 1

/**
 * Completes what was made of the schemas: an example for each body without one, one place for the text of a parameter,
 * and the size of integers, which generators of clients take for 32 bits otherwise.
 */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  for (const { parameters = [] } of operationsOf(document)) for (const { schema } of parameters) declareSizes(schema)
  declareSizes(schemas)
  const compose = (content: Content | undefined, summary: string): void => {
    const json = content?.['application/json']
    if (json?.schema && !json.examples) json.examples = { example: { summary, value: exampleOf(json.schema, schemas) } }
  }
  for (const { parameters = [], requestBody, responses } of operationsOf(document)) {
    for (const { schema } of parameters) delete schema.description
    compose(requestBody?.content, requestBody?.description ?? '')
    const current = responses['200']?.content?.['application/json']?.schema
    for (const [status, { content, description }] of Object.entries(responses)) {
      // of a 412, which shows the resource as it is now
      const value = { message: 'It was changed meanwhile.', current: current ? exampleOf(current, schemas) : {} }
      if (status === '412' && content?.['application/json'])
        content['application/json'].examples = { example: { summary: value.message, value } }
      compose(content, description)
    }
  }
  return document
}

function operationsOf({ paths }: OpenApiDocument): OperationObject[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods))
}

function declareSizes(schema: object): void {
  const { type, maximum = Infinity, $ref } = schema as JsonSchema
  const types = [type].flat().filter((name) => name !== 'null')
  if (types.length === 1 && types[0] === 'integer' && Number(maximum) > MAX_INT32)
    (schema as JsonSchema).format = 'int64'
  // the schema referred to says so itself
  if ($ref !== undefined) delete (schema as JsonSchema).additionalProperties
  for (const inner of Object.values(schema)) if (typeof inner === 'object' && inner !== null) declareSizes(inner)
}
