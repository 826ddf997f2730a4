import { expect, it } from '@jest/globals'
import { adminOperations } from '@partsbus/contracts/admin/operations'
import type { Operation } from '@partsbus/contracts/admin/operation'
import { describeSchema, type DescribedSchema } from '@partsbus/contracts/json-schema'
import { type ResourcePath, resourceRoute, resourceRoutes } from './resource-routes.js'

const paths = Object.keys(resourceRoutes) as ResourcePath[]
const answering = paths.filter((path) => 'answer' in adminOperations[path] && !resourceRoute(path)?.toAnswer)

it.each(answering)('%s answers what its command replies', (path) => {
  const { answer, isRevised } = adminOperations[path] as Operation
  const { command, answerField } = resourceRoute(path) ?? {}
  if (!answer || !command) throw new Error('incomplete')
  const reply = fieldsOf(describeSchema(command.reply, 'output')) as { properties?: Record<string, unknown> }
  const { revision, ...properties } = reply.properties ?? {}
  expect(revision !== undefined).toBe(isRevised === true)
  const expected = answerField === undefined ? { ...reply, properties } : properties[answerField]
  expect(fieldsOf(describeSchema(answer, 'output'))).toEqual(expected)
})

/** A schema without references, and without what is required: a service of an earlier version replies with less. */
function fieldsOf({ schema, components }: DescribedSchema): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, required: _required, ...rest } = value as { $ref?: string; required?: unknown }
    if ($ref !== undefined) return resolve(components[$ref.slice('#/components/schemas/'.length)])
    return Object.fromEntries(Object.entries(rest).map(([name, field]) => [name, resolve(field)]))
  }
  return resolve(schema)
}

it.each(paths.filter((path) => !path.startsWith('GET ') && !path.endsWith('/test')))(
  '%s is recorded in the audit log',
  (path) => {
    const { action, namesCaller } = resourceRoute(path) ?? {}
    // the service of the audit log records its own changes
    if (namesCaller) expect(action).toBeUndefined()
    else expect(action).toMatch(/^[a-z-]+\.[a-z]+$/)
  },
)
