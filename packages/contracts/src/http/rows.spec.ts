import { expect, it } from '@jest/globals'
import { describeSchema, type DescribedSchema } from '../json-schema.js'
import { type AdminPath, adminRows } from './admin.js'
import { erpRows } from './erp.js'
import { partnerRows } from './partners.js'
import type { AdminRow, Row } from './row.js'

const rows = Object.entries(adminRows) as Array<[AdminPath, AdminRow]>

it.each(rows)('%s answers JSON, a file, a stream, or 204', (_path, { status, answer, media }) => {
  expect([status === 204, answer !== undefined, media !== undefined].filter(Boolean)).toHaveLength(1)
})

const answering = rows.filter(([, { command, answer, toAnswer }]) => command && answer && !toAnswer)

it.each(answering)('%s answers what its command replies', (_path, { answer, isRevised, command, answerField }) => {
  if (!answer || command?.kind !== 'command') throw new Error('incomplete')
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

const changing = rows.filter(([path, { command, readsOnly }]) => command && !path.startsWith('GET ') && !readsOnly)
it.each(changing)('%s is recorded in the audit log', (_path, { audit, namesCaller }) => {
  // the service of the audit log records its own changes
  if (namesCaller) expect(audit).toBeUndefined()
  else expect(audit).toMatch(/^[a-z-]+\.[a-z]+$/)
})

it('every row has a name of its own, which is an identifier', () => {
  const all: Row[] = [erpRows, partnerRows, adminRows].flatMap((table) => Object.values(table))
  const names = all.map(({ name }) => name)
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([])
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
})
