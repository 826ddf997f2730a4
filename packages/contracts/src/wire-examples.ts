import { z } from 'zod'
import * as catalog from './catalog/commands.js'
import * as fullSync from './catalog/full-sync.js'
import * as events from './events.js'
import * as answers from './gateway/answer.js'
import * as accounts from './administration/accounts.js'
import * as audit from './administration/audit.js'
import * as administration from './administration/commands.js'
import * as settingsCommands from './administration/settings-commands.js'
import * as gateway from './gateway/commands.js'
import * as settings from './administration/settings.js'
import { describeSchema, type Direction, type JsonSchema } from './json-schema.js'
import type { BatchCommand, Command, DomainEvent } from './message.js'
import * as pricing from './pricing-import/commands.js'
import * as stock from './stock/commands.js'
import * as search from './supplier-search/commands.js'

/*
 * Examples of everything on the wire, made from the schemas: the shortest value, and full ones with every value of
 * an enumeration and every branch of a union. `scripts/wire-examples.mjs` keeps those of each release in
 * `wire-examples/`, and a test compares today's contracts with them (CONTRIBUTING.md, Version skew).
 */

/** One direction of one message. */
export interface WireShape {
  /** `<subject> request`, `<subject> reply`, `<subject>` of an event, `http <name>` of an HTTP body */
  name: string
  schema: z.ZodType
  direction: Direction
}

export interface WireExample {
  schema: JsonSchema
  examples: unknown[]
}

type Message = Command | BatchCommand | DomainEvent

const administered = [accounts, audit, administration, settingsCommands]
const messages = [catalog, fullSync, stock, pricing, search, gateway, events, ...administered]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value): value is Message => typeof value === 'object' && value !== null && 'subject' in value)

const httpAnswers = {
  ...answers,
  settingsView: settings.settingsView,
  issuedToken: settings.issuedToken,
  auditEntry: settings.auditEntry,
}

/** Everything that processes of two versions, or a client and a gateway, may exchange as JSON. */
export function wireShapes(): WireShape[] {
  return [
    ...messages.flatMap(messageShapes),
    { name: 'x-settings', schema: settings.callSettings, direction: 'output' as const },
    ...Object.entries(httpAnswers).map(([name, schema]) => ({
      name: `http ${name}`,
      schema,
      direction: name.endsWith('Request') ? ('input' as const) : ('output' as const),
    })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function messageShapes(message: Message): WireShape[] {
  const { subject } = message
  if (message.kind === 'event') return [{ name: subject, schema: message.payload, direction: 'output' }]
  const request = message.kind === 'batch' ? z.object({ [message.key]: z.array(message.item) }) : message.request
  const shapes: WireShape[] = [{ name: `${subject} request`, schema: request, direction: 'input' }]
  // the reply of some commands is the bytes of a file
  if (!(message.reply instanceof z.ZodCustom))
    shapes.push({ name: `${subject} reply`, schema: message.reply, direction: 'output' })
  return shapes
}

/** @throws Error when an example violates its own schema: then the maker below lacks a case */
export function exemplify({ name, schema, direction }: WireShape): WireExample {
  const { schema: own, components } = describeSchema(schema, direction)
  const definitions = Object.entries(components)
  const described = definitions.length === 0 ? own : { ...own, components: { schemas: components } }
  const examples = distinct(new ExampleMaker(components).make(own))
  for (const example of examples) {
    const { error } = schema.safeParse(example)
    if (error) throw new Error(`${name}: ${JSON.stringify(example)} is no example: ${error.message}`)
  }
  return { schema: described, examples }
}

const REFERENCE = '#/components/schemas/'
/** By the beginning of a pattern. */
const MATCHING_TEXTS: Record<string, string> = {
  '^[A-Za-z0-9!#': 'Authorization',
  '^[\\t': 'Bearer of a token',
  '^(\\d{4}-': '2026-01-02T03:04:05Z',
}
const FORMATTED_TEXTS: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05.000Z',
  uri: 'https://supplier.example/api',
}

class ExampleMaker {
  private readonly components: Record<string, JsonSchema>

  constructor(components: Record<string, JsonSchema>) {
    this.components = components
  }

  /** The value without optional fields first. */
  make(schema: JsonSchema): unknown[] {
    const { $ref, anyOf, oneOf, type } = schema
    if (typeof $ref === 'string') return this.make(this.components[$ref.slice(REFERENCE.length)] ?? {})
    if ('const' in schema) return [schema.const]
    if (Array.isArray(schema.enum)) return schema.enum
    const branches = (anyOf ?? oneOf) as JsonSchema[] | undefined
    if (branches) return branches.flatMap((branch) => this.make(branch))
    if (Array.isArray(type)) return type.flatMap((one: string) => this.make({ ...schema, type: one }))
    if (type === 'object') return this.objects(schema)
    if (type === 'array') return this.arrays(schema)
    if (type === 'string') return [textFor(schema)]
    if (type === 'boolean') return [true, false]
    if (type === 'integer' || type === 'number') return [Math.max(1, Number(schema.minimum ?? 1))]
    if (type === 'null') return [null]
    return ['anything']
  }

  private objects(schema: JsonSchema): unknown[] {
    const { properties = {}, required = [], minProperties = 0, additionalProperties, propertyNames } = schema
    const fields = Object.entries(properties as Record<string, JsonSchema>).map(
      ([name, schema]) => [name, this.make(schema)] as const,
    )
    if (typeof additionalProperties === 'object' && additionalProperties !== null) {
      const [key = 'key'] = propertyNames ? this.make(propertyNames as JsonSchema) : []
      return [{}, ...this.make(additionalProperties as JsonSchema).map((value) => ({ [String(key)]: value }))]
    }
    const isOptional = ([name]: readonly [string, unknown]): boolean => !(required as string[]).includes(name)
    const byNeed = fields.toSorted((a, b) => Number(isOptional(a)) - Number(isOptional(b)))
    const least = byNeed.slice(0, Math.max((required as string[]).length, Number(minProperties)))
    const count = Math.max(0, ...fields.map(([, values]) => values.length))
    // each value of each field appears in one of them
    const full = Array.from({ length: count }, (_, at) =>
      Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
    )
    return [Object.fromEntries(least.map(([name, values]) => [name, values[0]])), ...full]
  }

  private arrays({ items, minItems = 0 }: JsonSchema): unknown[] {
    const each = distinct(this.make((items ?? {}) as JsonSchema))
    return minItems === 0 ? [[], each] : [each.slice(0, 1), each]
  }
}

function textFor({ example, format, pattern, minLength = 0 }: JsonSchema): string {
  if (typeof example === 'string') return example
  const byPattern = Object.entries(MATCHING_TEXTS).find(([start]) => String(pattern).startsWith(start))
  return (FORMATTED_TEXTS[String(format)] ?? byPattern?.[1] ?? 'text').padEnd(Number(minLength), 'x')
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
