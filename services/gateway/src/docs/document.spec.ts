import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '@partsbus/contracts/administration/settings'
import type { Question } from '../testing/send-request.js'
import { openStubApp } from '../testing/stub-app.js'
import { buildDocument } from '@partsbus/openapi/document'
import type { Content } from '@partsbus/openapi/complete-document'

const document = buildDocument('all', 'https://parts.example.org')
const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

/** Every example of every body: its path in the document, its schema, its value. */
const examples = endpoints.flatMap(({ name, operation }) => {
  const bodies: Array<[string, Content | undefined]> = [
    [`${name} request`, operation.requestBody?.content],
    ...Object.entries(operation.responses).map(([status, answer]): [string, Content | undefined] => [
      `${name} ${status}`,
      answer.content,
    ]),
  ]
  return bodies.flatMap(([place, content]) =>
    Object.values(content ?? {}).flatMap(({ schema, examples: list }) =>
      Object.entries(list ?? {}).map(([key, { value }]) => ({ place: `${place} ${key}`, schema, value })),
    ),
  )
})

function validatorFor(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  return ajv.addSchema({ $id: 'document', components: document.components })
}

/** The schema with its references turned to the document that `validatorFor` knows. */
function resolved(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object
}

it('is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true })
})

it('every example fits the schema beside it', () => {
  const ajv = validatorFor()
  const broken = examples.flatMap(({ place, schema, value }) =>
    ajv.validate(resolved(schema), value) ? [] : [{ place, errors: ajv.errorsText() }],
  )
  expect(broken).toEqual([])
  expect(examples.length).toBeGreaterThan(150)
})

it('an example that broke its schema would be noticed', () => {
  const ajv = validatorFor()
  const product =
    document.paths['/api/erp/products/batch-upsert']?.post?.requestBody?.content['application/json']?.schema
  expect(ajv.validate(resolved(product), [{ id_erp: 'x'.repeat(192), name: 'n' }])).toBe(false)
  expect(ajv.validate(resolved(product), { products: [{ id_erp: 'x' }] })).toBe(false)
  expect(ajv.validate(resolved(product), { products: [{ id_erp: 'x', name: 'n', sort_order: 1.5 }] })).toBe(false)
})

it.each(endpoints)('$name says what it does, takes and answers', ({ operation }) => {
  expect(operation.summary).toMatch(/\S/)
  expect(operation.description).toMatch(/\S/)
  expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0])
  for (const content of [
    operation.requestBody?.content,
    ...Object.values(operation.responses).map((answer) => answer.content),
  ]) {
    const json = content?.['application/json']
    if (json) expect(Object.keys(json.examples ?? {})).not.toEqual([])
  }
  const statuses = Object.keys(operation.responses)
  expect(statuses.filter((status) => status.startsWith('2'))).not.toEqual([])
  // a form that is too large is an invalid file
  if (operation.requestBody)
    expect(statuses).toEqual(
      expect.arrayContaining(
        operation.requestBody.content['multipart/form-data'] ? ['400', '415', '422'] : ['400', '413', '415', '422'],
      ),
    )
  if (operation.security.length > 0) expect(statuses).toEqual(expect.arrayContaining(['401', '503']))
})

it('every endpoint has an operationId of its own', () => {
  const ids = endpoints.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

it('the document has every route of the APIs and of images, and no other', async () => {
  const routes = new Set<string>()
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`)
    })
  }
  subscribe('fastify.initialization', watch)
  const stub = await openStubApp()
  unsubscribe('fastify.initialization', watch)
  await stub.close()
  const documented = endpoints.map(({ name }) => name.replace('/{erp_id}', '/*').replaceAll(/\{(\w+)\}/g, ':$1'))
  const registered = [...routes].filter((route) => / \/(api|media)\//.test(route))
  expect(registered.toSorted()).toEqual(documented.toSorted())
})

describe('errors are documented with the bodies that are answered', () => {
  const json = { authorization: 'Bearer admin-token-of-the-specs', 'content-type': 'application/json' }
  const cases: Array<[string, string, number, Question, Partial<Settings>]> = [
    ['/api/erp/ping', 'get', 503, { url: '/api/erp/ping' }, {}],
    ['/api/erp/ping', 'get', 401, { url: '/api/erp/ping' }, { erp_enabled: true }],
    [
      '/api/erp/ping',
      'get',
      401,
      { url: '/api/erp/ping', headers: { authorization: 'Bearer wrong' } },
      { erp_enabled: true },
    ],
    ['/api/admin/settings', 'get', 401, { url: '/api/admin/settings' }, {}],
    [
      '/api/admin/settings',
      'patch',
      415,
      { method: 'PATCH', url: '/api/admin/settings', headers: { ...json, 'content-type': 'text/plain' }, body: 'x' },
      {},
    ],
    [
      '/api/admin/settings',
      'patch',
      400,
      { method: 'PATCH', url: '/api/admin/settings', headers: json, body: '{' },
      {},
    ],
    [
      '/api/admin/settings',
      'patch',
      413,
      { method: 'PATCH', url: '/api/admin/settings', headers: json, body: ' '.repeat(1024 * 1024 + 1) },
      {},
    ],
    ['/api/b2b/get-parts', 'post', 503, { method: 'POST', url: '/api/b2b/get-parts' }, {}],
    ['/api/b2b/get-parts', 'post', 401, { method: 'POST', url: '/api/b2b/get-parts' }, { b2b_enabled: true }],
    ['/api/admin/references', 'get', 422, { url: '/api/admin/references?sort=name', headers: json }, {}],
    ['/api/admin/storages/{id}', 'get', 404, { url: '/api/admin/storages/none', headers: json }, {}],
  ]
  it.each(cases)('%s %s %i', async (path, method, status, question, settings) => {
    const stub = await openStubApp({ settings: {} })
    await stub.administration.patch(settings)
    await stub.administration.issueToken('b2b')
    const answer = await stub.ask(question)
    await stub.close()
    expect(answer.statusCode).toBe(status)
    const documented = document.paths[path]?.[method]?.responses[status]?.content?.['application/json']?.examples ?? {}
    expect(Object.values(documented).map((example) => example.value)).toContainEqual(answer.json())
  })
})
