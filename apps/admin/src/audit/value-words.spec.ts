import { describe, expect, it } from '@jest/globals'
import type { Texts } from '../texts/en.js'
import { audit } from '../texts/ru/audit.js'
import { priceLists } from '../texts/ru/price-lists.js'
import { setUp } from '../texts/ru/set-up.js'
import { sources } from '../texts/ru/sources.js'
import { ru as base } from '../texts/ru.js'
import { createFormats } from '../ui/formats.js'
import { valueWords } from './value-words.js'

const t = { ...base, audit, priceLists, setUp, sources } as Texts
const formats = createFormats('ru', t.kit, 'Europe/Moscow')
const references = {
  storages: [{ id: 3, name: 'Север' }],
  pick_up_points: [{ id: 5, name: 'Тверская' }],
  price_lists: [],
}

describe('valueWords', () => {
  it.each<[entity: string | null, path: string, value: unknown, words: string | undefined]>([
    ['price-list', 'mode', 'merge', 'дополняет прайс-лист'],
    ['price-list', 'mode', 'unheard-of', undefined],
    ['price-list', 'mode', 'constructor', undefined],
    ['price-list', 'storage_id', 3, 'Север'],
    ['price-list', 'storage_id', 4, '4'],
    ['price-list', 'min_rows_ratio', 0.5, '50\u00a0%'],
    ['price-list', 'markup_percent', 11.25, '11,25'],
    ['price-list', 'format.header', true, 'есть'],
    ['price-list', 'format.delimiter', ';', 'точка с запятой'],
    ['price-list', 'format.encoding', 'windows-1251', undefined],
    ['price-list', 'sources.1.kind', 'ftp', 'FTP-сервер'],
    ['price-list', 'sources.1.port', 2121, '2121'],
    ['price-list', 'version', 4711, '4711'],
    ['settings', 'storages_for_crosses', 3, 'Север'],
    ['settings', 'erp_pick_up_point_id', 5, 'Тверская'],
    ['settings', 'erp_error_policy', 'reject_batch', 'отклоняется весь пакет'],
    ['settings', 'price-lists.import.max_file_size', 50e6, '50 МБ'],
    ['settings', 'erp_max_batch_items', 1000, '1\u00a0000'],
    ['settings', 'reason', 'storage 3 was included in the search', 'Включено в поиск: Склад Север'],
    ['settings', 'reason', 'pick-up-point 9 was deleted', 'Удалено: Пункт выдачи 9'],
    ['settings', 'reason', 'storage 3 was painted', undefined],
    ['pick-up-point', 'storage_ids', 3, 'Север'],
    ['administrator', 'role', 'owner', 'владелец'],
    ['administrator', 'expires_at', '2026-11-26T09:05:00.000Z', '26 нояб. 2026 г., 12:05'],
    ['supply', 'selling_price', 1234.5, '1\u00a0234,50'],
    [null, 'is_active', true, undefined],
    [null, 'note', 'Север', undefined],
  ])('%s, %s, %j: %s', (entity, path, value, words) => {
    const shown = valueWords(entity, { t, formats, references: references as never })(path, value)
    expect(shown?.replaceAll('\u202f', '\u00a0')).toBe(words)
  })
})
