import { expect, it } from '@jest/globals'
import { adminOperations } from '@partsbus/contracts/admin/operations'
import type { Operation } from '@partsbus/contracts/admin/operation'
import { describeSchema } from '@partsbus/contracts/json-schema'
import { type ResourcePath, resourceRoute, resourceRoutes } from './resource-routes.js'

const paths = Object.keys(resourceRoutes) as ResourcePath[]
const answering = paths.filter((path) => 'answer' in adminOperations[path])

it.each(answering)('%s answers what its command replies', (path) => {
  const { answer } = adminOperations[path] as Operation
  const { command, answerField } = resourceRoute(path) ?? {}
  if (!answer || !command) throw new Error('incomplete')
  const reply = describeSchema(command.reply, 'output').schema as { properties?: Record<string, unknown> }
  const expected = answerField === undefined ? reply : reply.properties?.[answerField]
  expect(describeSchema(answer, 'output').schema).toEqual(expected)
})

it.each(paths.filter((path) => !path.startsWith('GET ') && path !== 'POST /storages/:id/test'))(
  '%s is recorded in the audit log',
  (path) => {
    expect(resourceRoute(path)?.action).toMatch(/^[a-z-]+\.[a-z]+$/)
  },
)
