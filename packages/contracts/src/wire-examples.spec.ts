import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isErrorCode } from './app-error.js'
import { defaultCallSettings, readCallSettings } from './administration/settings.js'
import type { JsonSchema } from './json-schema.js'
import { exemplify, wireShapes } from './wire-examples.js'

/*
 * Version skew (CONTRIBUTING.md): what each release sent is still accepted, and what is sent today is accepted by the
 * receivers of each release.
 */

const FOLDER = join(import.meta.dirname, '../wire-examples')
const releases = readdirSync(FOLDER)
const read = <T>(release: string, file: string): Record<string, T> =>
  JSON.parse(readFileSync(join(FOLDER, release, file), 'utf8')) as Record<string, T>

const shapes = new Map(wireShapes().map((shape) => [shape.name, shape]))

/**
 * What a process of one version validates and a process of another one composed. Replies are not validated. Bodies that
 * an administrator composes are strict: an older service answers 422 to a name of tomorrow (admin.md#errors).
 */
function isValidated(name: string): boolean {
  if (name.endsWith(' request')) return !/\.(create|patch|preview|preview-stored|sources\.test) request$/.test(name)
  return !name.endsWith(' reply') && !name.startsWith('http ')
}

/**
 * Values of a setting that a release does not know, by their path. An administrator may choose them only after the
 * upgrade (CONTRIBUTING.md, Version skew).
 */
const LATER_VALUES: Record<string, readonly RegExp[]> = {
  // a constant quantity, and the brand of a group
  '0.1.0': [/\/format\/columns\/(quantity|brand)$/],
}

/** The errors of a release's receiver, without those of values that it cannot know. */
function errorsOf(release: string, validate: ValidateFunction, example: unknown): ErrorObject[] {
  validate(example)
  const later = LATER_VALUES[release] ?? []
  return (validate.errors ?? []).filter(({ instancePath }) => !later.some((path) => path.test(instancePath)))
}

/** A field more in each object of a value. */
function withFieldOfTomorrow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldOfTomorrow)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withFieldOfTomorrow(field)] as const)
  return { ...Object.fromEntries(fields), field_of_tomorrow: { any: 1 } }
}

/** The schema of a receiver: open for more fields, and for values that an enumeration gains. */
function asReceived(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asReceived)
  if (typeof schema !== 'object' || schema === null) return schema
  const { additionalProperties, enum: _values, ...rest } = schema as JsonSchema
  const open = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asReceived(value)]))
  return additionalProperties === false
    ? open
    : { ...open, ...(additionalProperties !== undefined && { additionalProperties: asReceived(additionalProperties) }) }
}

function compile(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.compile(asReceived(schema) as object)
}

it.each([...shapes.keys()])('%s has examples that its schema accepts, for the next release', (name) => {
  const shape = shapes.get(name)
  expect(shape && exemplify(shape).examples).not.toHaveLength(0)
})

it('has the examples of a release', () => {
  expect(releases).toContain('0.1.0')
})

describe.each(releases)('what version %s exchanged', (release) => {
  const examples = read<unknown[]>(release, 'examples.json')
  const schemas = read<JsonSchema>(release, 'schema.json')
  const names = Object.keys(examples)

  // the product reads no HTTP answer
  const received = names.filter((name) => !/^http (?!.*Request$)/.test(name))

  it.each(received)('%s is still accepted', (name) => {
    const shape = shapes.get(name)
    if (!shape) throw new Error(`${name} is gone: a subject is removed one release after nothing uses it`)
    for (const example of examples[name] ?? [])
      expect([example, shape.schema.safeParse(example).error]).toEqual([example, undefined])
  })

  it.each(names)('%s of today is accepted by it', (name) => {
    const shape = shapes.get(name)
    const schema = schemas[name]
    if (!shape || !schema) throw new Error(`${name} is gone`)
    const validate = compile(schema)
    for (const example of exemplify(shape).examples)
      expect([example, errorsOf(release, validate, example)]).toEqual([example, []])
  })
})

describe('a message of tomorrow', () => {
  const received = [...shapes.values()].filter(({ name }) => isValidated(name))

  it.each(received.map((shape) => [shape.name, shape] as const))('%s is accepted with a field more', (_name, shape) => {
    for (const example of exemplify(shape).examples) {
      const more = withFieldOfTomorrow(example)
      expect([more, shape.schema.safeParse(more).error]).toEqual([more, undefined])
    }
  })

  it('has settings of tomorrow: unknown names and values are replaced by defaults', () => {
    expect(
      readCallSettings({
        admin_locale: 'de',
        erp_error_policy: 'reject_nothing',
        erp_max_batch_items: 2_000,
        retention_days: 10 ** 9,
        setting_of_tomorrow: true,
      }),
    ).toEqual({ ...defaultCallSettings, erp_max_batch_items: 2_000 })
    for (const received of [null, [], 'text', 1]) expect(readCallSettings(received)).toEqual(defaultCallSettings)
  })

  it('may have an error code of tomorrow', () => {
    expect(isErrorCode('CODE_OF_TOMORROW')).toBe(false)
  })
})
