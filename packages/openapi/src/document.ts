import { messageAnswer, refusalAnswer } from '@partsbus/contracts/gateway/answer'
import { type AdminPath, adminRows } from '@partsbus/contracts/http/admin'
import { adminDocs, tagOf } from '@partsbus/contracts/http/admin.docs'
import type { DescribedStatus, Docs, Examples, StatusDocs } from '@partsbus/contracts/http/docs'
import { erpRows } from '@partsbus/contracts/http/erp'
import { erpDocs } from '@partsbus/contracts/http/erp.docs'
import { requestHeaders, responseHeaders } from '@partsbus/contracts/http/headers.docs'
import { partnerRows } from '@partsbus/contracts/http/partners'
import { partnerDocs } from '@partsbus/contracts/http/partners.docs'
import type { AdminRow, Role, Row, Rows } from '@partsbus/contracts/http/row'
import { describeForClients } from '@partsbus/contracts/json-schema'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { about, securitySchemes, tags } from './about.js'
import { completeDocument, type OpenApiDocument } from './complete-document.js'
import { mediaOperation, mediaPath } from './media-operation.js'
import { pathParameters } from './path-parameters.js'
import { adminStatuses, erpStatuses, partnerStatuses, type Statuses, takesRevision } from './statuses.js'

/** Who reads a document: each API has one, and `all` has them all, and images. */
export const audiences = ['all', 'erp', 'partners', 'admin'] as const
export type Audience = (typeof audiences)[number]

type Operation = ZodOpenApiOperationObject
type Answer = ZodOpenApiResponseObject
type Method = 'get' | 'post' | 'patch' | 'delete'

/** What the rows of an API have in common. */
interface Api<Each extends Row = Row> {
  prefix: string
  rows: Rows<Each>
  docs: Readonly<Record<string, Docs>>
  tag: (path: string) => string
  security: (row: Each) => Operation['security']
  /** besides success */
  statuses: (path: string, row: Each, docs: Docs) => Statuses
  /** the fields of every error, and their schema */
  error: { base: object; schema: typeof messageAnswer | typeof refusalAnswer }
}

const erp: Api = {
  prefix: '/api/erp',
  rows: erpRows,
  docs: erpDocs,
  tag: () => 'ERP',
  security: () => [{ erp: [] }],
  statuses: (_path, row, docs) => erpStatuses(row, docs),
  error: { base: {}, schema: messageAnswer },
}
const partners: Api = {
  prefix: '/api/b2b',
  rows: partnerRows,
  docs: partnerDocs,
  tag: () => 'B2B',
  security: () => [{ b2b: [] }],
  statuses: (_path, row, docs) => partnerStatuses(row, docs),
  error: { base: { result: false }, schema: refusalAnswer },
}
const admin: Api<AdminRow> = {
  prefix: '/api/admin',
  rows: adminRows,
  docs: adminDocs,
  tag: (path) => tagOf(path as AdminPath),
  // the token or the cookie of a session
  security: ({ role }) => (role === 'nobody' ? [] : ['admin', 'session'].map((name) => ({ [name]: [] }))),
  statuses: adminStatuses,
  error: { base: {}, schema: messageAnswer },
}

const roleTexts: Readonly<Record<Role, string>> = {
  nobody: 'No credential is needed.',
  viewer: 'Role: any.',
  manager: 'Role: `manager` or `owner`.',
  owner: 'Role: `owner`.',
}

/** @param baseUrl how the outside reaches the gateway */
export function buildDocument(audience: Audience, baseUrl: string): OpenApiDocument {
  const paths = {
    ...(audience !== 'partners' && audience !== 'admin' && describeApi(erp)),
    ...(audience !== 'erp' && audience !== 'admin' && describeApi(partners)),
    ...(audience !== 'erp' && audience !== 'partners' && describeApi(admin)),
    ...(audience === 'all' && { [mediaPath]: { get: mediaOperation(toResponses) } }),
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[])
  const used = new Set(operations.flatMap((operation) => operation.tags ?? []))
  const schemes = new Set(operations.flatMap(({ security = [] }) => security.flatMap((each) => Object.keys(each))))
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: about,
      servers: [{ url: baseUrl, description: 'This gateway' }],
      tags: tags.filter(({ name }) => used.has(name)),
      paths,
      components: {
        securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => schemes.has(name))),
        headers: responseHeaders,
      },
    },
    { override: ({ zodSchema, jsonSchema }) => describeForClients(zodSchema, jsonSchema) },
  )
  return completeDocument(document as unknown as OpenApiDocument)
}

function describeApi<Each extends Row>(api: Api<Each>): Record<string, Partial<Record<Method, Operation>>> {
  const paths: Record<string, Partial<Record<Method, Operation>>> = {}
  for (const [call, row] of Object.entries<Each>(api.rows)) {
    const [method = '', url = ''] = call.split(' ')
    const path = `${api.prefix}${url.replaceAll(/:(\w+)/g, '{$1}').replace('/*', '/{erp_id}')}`
    const docs = api.docs[call]
    if (docs) (paths[path] ??= {})[method.toLowerCase() as Method] = describeCall(api, call, row, docs)
  }
  return paths
}

function describeCall<Each extends Row>(api: Api<Each>, call: string, row: Each, docs: Docs): Operation {
  const role = 'role' in row ? (row.role as Role) : undefined
  const parameters = [
    ...(row.params ? [] : pathParameters(call)),
    ...[...(takesRevision(call, row) ? ['If-Match' as const] : []), ...(row.headers ?? [])].map((name) => ({
      in: 'header' as const,
      name,
      required: false,
      ...requestHeaders[name],
    })),
  ]
  const security = api.security(row)
  const body = requestBody(row, docs)
  return {
    operationId: row.name,
    tags: [api.tag(call)],
    summary: row.summary,
    description: role ? `${docs.description}\n\n${roleTexts[role]}` : docs.description,
    ...(security && { security }),
    ...((row.params || row.query) && {
      requestParams: { ...(row.params && { path: row.params }), ...(row.query && { query: row.query }) },
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { [row.status ?? 200]: success(row, docs), ...refusals(api, call, row, docs) },
  }
}

/** A call may take a form, JSON, or either. */
function requestBody(row: Row, { body, requests, form }: Docs): Operation['requestBody'] {
  const description = body ?? (row.status === 201 ? 'The new resource.' : 'The fields to change.')
  const examples = requests && toExamples(requests)
  const json = row.body && { 'application/json': { schema: row.body, ...(examples && { examples }) } }
  if (!form) return json && { description, required: !row.isBodyOptional, content: json }
  const fields = Object.entries(form.fields)
  const schema = {
    type: 'object' as const,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field.schema])),
    required: fields.filter(([, { required }]) => required).map(([name]) => name),
  }
  const sent = fields.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]]))
  const filled = toExamples({ 'The fields of the form': Object.fromEntries(sent) })
  const content = { 'multipart/form-data': { schema, examples: filled }, ...json }
  return { description: form.description, required: true, content }
}

function success(row: Row, { result, answers }: Docs): Answer {
  const isFile = row.media !== undefined && row.media !== 'text/event-stream'
  const headers = [
    ...(row.answerHeaders ?? []),
    ...(row.isRevised && row.answer ? ['ETag'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
  ]
  return {
    description: `${result ?? (row.answer ? 'The result' : 'Removed')}.`,
    ...(headers.length > 0 && { headers: headerReferences(headers) }),
    ...(row.media && { content: { [row.media]: {} } }),
    ...(row.answer && {
      content: { 'application/json': { schema: row.answer, ...(answers && { examples: toExamples(answers) }) } },
    }),
  }
}

function refusals<Each extends Row>(api: Api<Each>, call: string, row: Each, docs: Docs): Record<string, Answer> {
  const described: Statuses = { ...api.statuses(call, row, docs), ...docs.statuses }
  for (const [status, schema] of Object.entries(row.refusals ?? {})) {
    const known = described[Number(status)]
    if (known) described[Number(status)] = { ...known, schema }
  }
  return toResponses(described, api.error)
}

function toResponses(statuses: Statuses, { base, schema: usual }: Api['error'] = erp.error): Record<string, Answer> {
  const toResponse = ({ description, messages, examples, headers, schema }: DescribedStatus): Answer => {
    const texts = messages && Object.fromEntries(messages.map((message) => [message, { ...base, message }]))
    const shown = examples ?? texts
    const body = schema ?? (shown && usual)
    return {
      description,
      ...(headers && { headers: headerReferences(headers) }),
      ...(body && { content: { 'application/json': { schema: body, ...(shown && { examples: toExamples(shown) }) } } }),
    }
  }
  const listed = Object.entries(statuses).filter((entry): entry is [string, DescribedStatus] => entry[1] !== undefined)
  return Object.fromEntries(listed.map(([status, docs]) => [status, toResponse(docs)]))
}

function headerReferences(names: NonNullable<StatusDocs['headers']>): NonNullable<Answer['headers']> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function toExamples(examples: Examples): Record<string, { summary: string; value: unknown }> {
  const list = Object.entries(examples).map(([summary, value]) => ({ summary, value }))
  return Object.fromEntries(list.map((example, at) => [`example${at === 0 ? '' : at + 1}`, example]))
}
