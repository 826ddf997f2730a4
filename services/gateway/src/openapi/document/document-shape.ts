import type { JsonSchema } from '@partsbus/contracts/json-schema'

/** An OpenAPI 3.1 document as plain data, as far as this gateway writes it. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: Array<{ url: string; description: string }>
  tags: ReadonlyArray<{ name: string; description: string }>
  /** path → method in lower case → operation */
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Readonly<
      Record<string, { type: string; description: string; scheme?: string; in?: string; name?: string }>
    >
    headers: Readonly<Record<string, { description: string; schema: JsonSchema }>>
  }
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  /** empty: open to everybody */
  security: Array<Record<string, string[]>>
  parameters?: ParameterObject[]
  requestBody?: { description: string; required: boolean; content: Content }
  responses: Record<string, ResponseObject>
}

export interface ParameterObject {
  name: string
  in: string
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

/** media type → body */
export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, ExampleObject> }>

export interface ExampleObject {
  summary: string
  value: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Content
}
