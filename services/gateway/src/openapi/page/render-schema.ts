import type { JsonSchema } from '@partsbus/contracts/json-schema'
import { Html, html } from './html.js'
import { renderLine } from './render-text.js'

const PREFIX = '#/components/schemas/'

/** A schema in a few words, with links to the named ones: `array of ProductItem, at most 50, or null`. */
export function renderType(schema: JsonSchema): Html {
  if (typeof schema.$ref === 'string') return schemaLink(schema.$ref.slice(PREFIX.length))
  const forms = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (forms) return joinWith(forms.map(renderType), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(schema.enum))
    return joinWith(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    )
  if (Array.isArray(schema.type))
    return joinWith(
      schema.type.map((type) => renderType({ ...schema, type })),
      ' or ',
    )
  if (schema.type === 'array')
    return html`array${itemLimits(schema)} of ${renderType((schema.items ?? {}) as JsonSchema)}`
  if (schema.type === 'object' && isSchema(schema.additionalProperties))
    return html`object of ${renderType(schema.additionalProperties)}`
  if (schema.type === 'object' && schema.properties)
    return html`object with
    ${joinWith(
      Object.keys(schema.properties).map((name) => html`<code>${name}</code>`),
      ', ',
    )}`
  return html`${String(schema.type ?? 'anything')}${schema.format !== undefined && html` (${String(schema.format)})`}${limitsOf(schema)}`
}

/** The fields of an object, or of each of its forms, as tables. */
export function renderFields(schema: JsonSchema): Html {
  const forms = schema.oneOf as JsonSchema[] | undefined
  if (forms) return html`${forms.map((form) => renderFields(form))}`
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  if (!properties) return html`<p>${renderType(schema)}</p>`
  const required = new Set((schema.required ?? []) as string[])
  return html`<table class="fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(properties).map(
          ([name, field]) =>
            html`<tr>
              <td><code>${name}</code>${required.has(name) && html` <b class="required">required</b>`}</td>
              <td>${renderType(field)}${nestedFields(field)}</td>
              <td>
                ${typeof field.description === 'string' && renderLine(field.description)}${field.default !== undefined && html` Default <code>${JSON.stringify(field.default)}</code>.`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${schema.additionalProperties === false && html`<p class="quiet">No other fields.</p>`}`
}

/** Names of the schemas that one refers to, directly or through others, nearest first. */
export function namesIn(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): string[] {
  const found: string[] = []
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.includes(name)) continue
      found.push(name)
      visit(schemas[name])
    }
  }
  visit(schema)
  return found
}

export function schemaLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`
}

/** Objects that have no name of their own are shown where they stand. */
function nestedFields(field: JsonSchema): Html | false {
  const inner = [field, ...((field.anyOf ?? []) as JsonSchema[]), field.items]
    .filter(isSchema)
    .find((part) => isSchema(part.properties))
  if (!inner) return false
  return html`<ul class="nested">
    ${Object.entries(inner.properties as Record<string, JsonSchema>).map(([name, part]) => html`<li><code>${name}</code> ${renderType(part)}</li>`)}
  </ul>`
}

function itemLimits({ minItems, maxItems }: JsonSchema): string {
  const limits = [
    minItems !== undefined && `at least ${String(minItems)}`,
    maxItems !== undefined && `at most ${String(maxItems)}`,
  ].filter((limit) => limit !== false)
  return limits.length > 0 ? ` (${limits.join(', ')})` : ''
}

function limitsOf(schema: JsonSchema): string {
  const limits = [
    schema.maxLength !== undefined && `at most ${String(schema.maxLength)} characters`,
    schema.minLength === 1 && 'not blank',
    schema.minimum !== undefined && `from ${String(schema.minimum)}`,
    schema.maximum !== undefined && `to ${String(schema.maximum)}`,
  ].filter((limit) => limit !== false)
  return limits.length > 0 ? `, ${limits.join(', ').replace(/, to /, ' to ')}` : ''
}

function joinWith(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${between}${part}`))}`
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
