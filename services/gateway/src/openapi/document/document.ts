import type { JsonSchema } from '@partsbus/contracts/json-schema'
import { about, securitySchemes, tags } from './about.js'
import { Components } from './components.js'
import type {
  Content,
  ExampleObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './document-shape.js'
import { headers } from './headers.js'
import type { Answer, Body, Example, Form, Operation, Parameter } from '../operations/operation.js'

/** Writes the document of these endpoints. @param baseUrl how the outside reaches them */
export function buildDocument(operations: readonly Operation[], baseUrl: string): OpenApiDocument {
  const components = new Components()
  // answers first, so that they keep the plain names
  const answers = operations.map((operation) =>
    mapEntries(operation.answers, (answer) => writeAnswer(components, answer)),
  )
  const paths: OpenApiDocument['paths'] = {}
  for (const [at, operation] of operations.entries()) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = {
      operationId: operationId(operation),
      tags: [operation.tag],
      summary: operation.summary,
      description: operation.description,
      security: securityOf(operation),
      ...(operation.parameters && { parameters: operation.parameters.map(writeParameter) }),
      ...requestBody(components, operation),
      responses: answers[at] ?? {},
    }
  }
  return {
    openapi: '3.1.0',
    info: about,
    servers: [{ url: baseUrl, description: 'This gateway' }],
    tags,
    paths,
    components: { schemas: components.all(), securitySchemes, headers },
  }
}

/** An administrator sends the token or the cookie of a session. */
function securityOf({ security }: Operation): Array<Record<string, string[]>> {
  if (security === 'none') return []
  return security === 'admin' ? [{ admin: [] }, { session: [] }] : [{ [security]: [] }]
}

/** `POST /api/erp/products/batch-upsert` → `post_erp_products_batch_upsert`. */
function operationId({ method, path }: Operation): string {
  return `${method} ${path.replace(/^\/api/, '')}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')
}

function writeParameter(parameter: Parameter): ParameterObject {
  const { in: place, name, description, schema, required = place === 'path', example } = parameter
  return { name, in: place, required, description, schema, ...(example !== undefined && { example }) }
}

/** An endpoint may take a form, JSON, or either. */
function requestBody(
  components: Components,
  { body, form }: Operation,
): { requestBody?: NonNullable<OperationObject['requestBody']> } {
  const json = body && writeBody(components, body)
  if (!form) return json ? { requestBody: json } : {}
  const written = writeForm(form)
  return { requestBody: { ...written, content: { ...written.content, ...json?.content } } }
}

function writeBody(
  components: Components,
  { description, content, examples, optional }: Body,
): NonNullable<OperationObject['requestBody']> {
  return {
    description,
    required: !optional,
    content: { 'application/json': { schema: bodySchema(components, content), examples: writeExamples(examples) } },
  }
}

function writeForm({ description, fields }: Form): NonNullable<OperationObject['requestBody']> {
  const schema = {
    type: 'object',
    properties: mapEntries(fields, (field) => field.schema),
    required: Object.keys(fields).filter((name) => fields[name]?.required),
  }
  const value = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
  )
  return {
    description,
    required: true,
    content: { 'multipart/form-data': { schema, examples: { form: { summary: 'The fields of the form', value } } } },
  }
}

function bodySchema(components: Components, content: Body['content']): JsonSchema {
  if (!('kind' in content)) return components.describe(content, 'input')
  const list = { type: 'array', items: components.describe(content.item, 'input') }
  const object = { type: 'object', properties: { [content.key]: list }, required: [content.key] }
  // `products` → `ProductsBatch`, and generators name the choice after its title
  const name = `${content.key.charAt(0).toUpperCase()}${content.key.slice(1)}Batch`
  return { title: `${name}Body`, anyOf: [list, components.name(name, object)] }
}

function writeAnswer(components: Components, answer: Answer): ResponseObject {
  const content = toContent(components, answer)
  return {
    description: answer.description,
    ...(answer.headers && {
      headers: Object.fromEntries(answer.headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    }),
    ...(content && { content }),
  }
}

function toContent(components: Components, { schema, examples, binary }: Answer): Content | undefined {
  if (binary) return Object.fromEntries(binary.map((type) => [type, {}]))
  if (!schema) return undefined
  return {
    'application/json': {
      schema: components.describe(schema, 'output'),
      ...(examples && { examples: writeExamples(examples) }),
    },
  }
}

const writeExamples = (examples: Readonly<Record<string, Example>>): Record<string, ExampleObject> =>
  mapEntries(examples, ({ summary, value }) => ({ summary, value }))

function mapEntries<In, Out>(entries: Readonly<Record<string, In>>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, map(value)]))
}
