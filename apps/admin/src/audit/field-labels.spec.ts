import { describe, expect, it } from '@jest/globals'
import type { Texts } from '../texts/en.js'
import { audit } from '../texts/ru/audit.js'
import { people } from '../texts/ru/people.js'
import { priceLists } from '../texts/ru/price-lists.js'
import { setUp } from '../texts/ru/set-up.js'
import { sources } from '../texts/ru/sources.js'
import { ru as base } from '../texts/ru.js'
import { fieldLabel } from './field-labels.js'

const ru = { ...base, audit, people, priceLists, setUp, sources } as Texts

describe('fieldLabel', () => {
  it.each([
    ['price-list', 'markup_percent', 'Наценка, %'],
    ['price-list', 'format.columns.price', 'Цена'],
    ['price-list', 'sources.1.url', 'Источники 2 · Адрес файла'],
    ['price-list', 'sources.0.kind', 'Источники 1 · Вид'],
    ['price-list', 'sources', 'Источники'],
    ['price-list', 'format', 'Формат'],
    ['settings', 'retention_days', ru.setUp.settings.retention],
    ['pick-up-point', 'city', ru.setUp.points.city],
    ['administrator', 'display_name', ru.people.administrators.displayName],
    ['moon', 'id', ru.audit.number],
  ])('%s, %s: %s', (entity, path, label) => {
    expect(fieldLabel(entity, path, ru)).toBe(label)
  })

  it.each([
    ['price-list', 'sources.1.id'],
    ['price-list', 'constructor'],
    ['moon', 'phase'],
    [null, 'phase'],
  ])('%s, %s has none', (entity, path) => {
    expect(fieldLabel(entity, path, ru)).toBeUndefined()
  })
})
