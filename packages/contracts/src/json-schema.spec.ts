import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { listProducts } from './catalog/commands.js'
import { categoryItem } from './catalog/category.js'
import { describeSchema, type JsonSchema } from './json-schema.js'
import { pageRequest } from './paging.js'
import { productItem } from './catalog/product.js'
import { deactivationRequest } from './result.js'
import { settingsPatch } from './administration/settings.js'
import { stockItem, supplyPatch } from './stock/stock-item.js'
import { storage } from './stock/storage.js'

/** The part of a described schema under a path of keys; a nullable field is read as its first form. */
function at(schema: z.ZodType, name: string, ...path: string[]): JsonSchema {
  const described = describeSchema(schema, 'input')
  let part: unknown = name === '' ? described.schema : described.components[name]
  for (const key of path) part = (part as JsonSchema)[key]
  const found = part as JsonSchema
  return Array.isArray(found.anyOf) ? (found.anyOf[0] as JsonSchema) : found
}

describe('what the checks of the contracts demand is seen in their JSON Schema', () => {
  const cases: Array<[string, z.ZodType, string, string[], JsonSchema]> = [
    [
      '191 characters',
      categoryItem,
      'CategoryItem',
      ['properties', 'id_erp'],
      { type: 'string', minLength: 1, maxLength: 191 },
    ],
    [
      '191 characters of an optional text',
      categoryItem,
      'CategoryItem',
      ['properties', 'slug'],
      { type: 'string', maxLength: 191 },
    ],
    ['50 characters', productItem, 'AttributeItem', ['properties', 'type'], { type: 'string', maxLength: 50 }],
    ['500 attributes', productItem, 'ProductItem', ['properties', 'attributes'], { maxItems: 500 }],
    ['50 images', productItem, 'ProductItem', ['properties', 'images'], { maxItems: 50 }],
    ['an integer of at least 0', stockItem, 'StockItem', ['properties', 'quantity'], { type: 'integer', minimum: 0 }],
    ['at least 0 or null', stockItem, 'StockItem', ['properties', 'delivery_days'], { type: 'integer', minimum: 0 }],
    ['an amount of money', supplyPatch, 'SupplyPatch', ['properties', 'selling_price'], { type: 'number', minimum: 0 }],
    [
      '1 to 5000',
      settingsPatch,
      'SettingsPatch',
      ['properties', 'erp_max_batch_items'],
      { type: 'integer', minimum: 1, maximum: 5_000 },
    ],
    ['0 to 30000', settingsPatch, 'SettingsPatch', ['properties', 'media_wait_ms'], { minimum: 0, maximum: 30_000 }],
    ['no other names', settingsPatch, 'SettingsPatch', [], { additionalProperties: false }],
    [
      '1 to 500',
      pageRequest,
      '',
      ['properties', 'per_page'],
      { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    ],
    [
      'ids that are not blank',
      deactivationRequest,
      'DeactivationRequest',
      ['properties', 'ids_erp'],
      { items: { type: 'string', minLength: 1 } },
    ],
  ]
  it.each(cases)('%s', (_, schema, name, path, expected) => {
    expect(at(schema, name, ...path)).toMatchObject(expected)
  })

  it('the pattern of a date passes what its check passes', () => {
    const pattern = new RegExp(String(at(stockItem, 'StockItem', 'properties', 'supply_date').pattern))
    for (const text of ['', '2026-11-21', '2026-11-21T10:00:00Z', '2026-11-21 10:00', '2026-11-21t10:00:00.5+03:00']) {
      expect([text, pattern.test(text), stockItem.shape.supply_date.safeParse(text).success]).toEqual([
        text,
        true,
        true,
      ])
    }
    for (const text of ['31.02.2026', 'tomorrow', '2026-11']) {
      expect([text, pattern.test(text), stockItem.shape.supply_date.safeParse(text).success]).toEqual([
        text,
        false,
        false,
      ])
    }
  })
})

it('what is above a limit is refused in the words of the specification', () => {
  const issues = settingsPatch.safeParse({ erp_max_batch_items: 5_001 }).error?.issues
  expect(issues).toMatchObject([{ path: ['erp_max_batch_items'], params: { rule: 'at_most', limit: 5_000 } }])
  expect(settingsPatch.safeParse({ erp_max_batch_items: 5_000 }).success).toBe(true)
})

it('answers stay open to further fields, closed requests stay closed', () => {
  const { components } = describeSchema(storage, 'output')
  expect(components.Storage).not.toHaveProperty('additionalProperties')
  expect(components.HttpSupplier).toMatchObject({ additionalProperties: false })
})

it('references point where OpenAPI keeps its schemas', () => {
  const { schema, components } = describeSchema(listProducts.reply, 'output')
  expect(schema).toEqual({ $ref: '#/components/schemas/ProductPage' })
  expect(components.ProductPage).toMatchObject({
    properties: { data: { items: { $ref: '#/components/schemas/Product' } } },
  })
  expect(components.Product).toMatchObject({ properties: { media: { items: { $ref: '#/components/schemas/Media' } } } })
  expect(JSON.stringify([schema, components])).not.toContain('$defs')
})

it('the bounds by which zod knows safe integers are left out', () => {
  expect(describeSchema(z.object({ id: z.int() }), 'output').schema).toMatchObject({
    properties: { id: { type: 'integer' } },
  })
  expect(JSON.stringify(describeSchema(z.object({ id: z.int() }), 'output'))).not.toContain(
    String(Number.MAX_SAFE_INTEGER),
  )
})
