import { describe, expect, it } from '@jest/globals'
import { defaultSettings, type Settings } from '@partsbus/contracts/administration/settings'
import { type FoundParts, findProblems } from './find-problems.js'

const now = new Date('2026-11-21T10:00:00.000Z')
const ago = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString()
const token = (hoursAgo: number) => ({ sha256: '', last4: '', issued_at: new Date(ago(hoursAgo * 60)) })
const api = { is_enabled: true, is_ready: true, last_call_at: ago(1), requests: 1, refused: 0, failed: 0 }

const ready: Partial<Settings> = { erp_enabled: true, b2b_enabled: true, erp_storage_id: 1, erp_pick_up_point_id: 1 }
const list = { price_list_id: 2, price_list_name: 'North' }
const gib = 1024 ** 3

function parts(changes: Partial<FoundParts> = {}, values: Partial<Settings> = ready): FoundParts {
  return {
    now,
    services: [{ name: 'catalog', state: 'up', ms: 4, awaySince: null }],
    settings: { values: { ...defaultSettings, ...values }, tokens: { erp: token(100), b2b: token(100) } },
    apis: { erp: api, b2b: api },
    catalog: null,
    stock: null,
    pricing: null,
    suppliers: null,
    ...changes,
  }
}

function pricing(changes: Partial<NonNullable<FoundParts['pricing']>> = {}): Partial<FoundParts> {
  const day = { completed: 0, failed: 0, rows: 0, imported: 0, skipped: 0 }
  const imports = { pending: 0, processing: 0, oldest_pending_at: null, day, last: [] }
  const sources = { active: 0, failing: [] }
  return { pricing: { imports, sources, failed: [], unreadable: [], disk: null, ...changes } }
}

const imports = (oldest_pending_at: string | null) => {
  const figures = pricing().pricing?.imports
  return pricing({ imports: { ...figures!, pending: 3, oldest_pending_at } })
}

describe('the problems of the overview (admin.md#problems)', () => {
  it('are none when all is well', () => {
    expect(findProblems(parts({ ...pricing(), suppliers: [] }))).toEqual([])
  })

  it.each<[string, Partial<FoundParts>, object]>([
    [
      'service-away',
      { services: [{ name: 'stock', state: 'away', ms: null, awaySince: new Date(ago(3)) }] },
      { severity: 'error', since: ago(3), params: { name: 'stock' }, count: 1 },
    ],
    ['imports-waiting', imports(ago(11)), { severity: 'warning', since: ago(11), params: {}, count: 3 }],
    [
      'import-failed',
      pricing({ failed: [{ ...list, task_id: 7, at: ago(9), message: 'No rows.' }] }),
      { severity: 'error', since: ago(9), params: { ...list, task_id: 7, message: 'No rows.' }, count: 1 },
    ],
    [
      'source-failing',
      pricing({
        sources: {
          active: 1,
          failing: [{ ...list, source_id: 1, kind: 'ftp', since: ago(60), message: 'No.', failures: 4 }],
        },
      }),
      {
        severity: 'warning',
        since: ago(60),
        params: { ...list, source_id: 1, kind: 'ftp', message: 'No.' },
        count: 4,
      },
    ],
    [
      'not-in-search',
      {
        ...pricing({ live: [1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `List ${id}`, storage_id: id })) }),
        stock: {
          supplies: 0,
          storages: 6,
          pick_up_points: 0,
          last_update_at: null,
          unreadable: [],
          storage_references: [
            { id: 1, name: 'Found', is_active: true, kind: 'price-list', in_search: true },
            { id: 2, name: 'Not found', is_active: true, kind: 'price-list', in_search: false },
            { id: 3, name: 'Switched off', is_active: false, kind: 'price-list', in_search: false },
            // as a stock service of version 0.1 says it
            { id: 4, name: 'Not known', is_active: true, kind: 'price-list' },
            { id: 5, name: 'Other system', is_active: true, kind: 'http', in_search: false },
            { id: 6, name: 'Shelf', is_active: true, kind: 'own-stock', in_search: false },
          ],
        },
      },
      {
        severity: 'warning',
        since: null,
        params: { price_lists: [{ id: 2, name: 'List 2', storage_id: 2 }] },
        count: 1,
      },
    ],
    [
      'supplier-cut-off',
      {
        suppliers: [
          {
            storage_id: 5,
            name: 'Berg',
            kind: 'http',
            state: 'cut-off',
            asked: 9,
            failed: 8,
            p95_ms: null,
            last_error: 'Refused.',
            last_ok_at: null,
            failing_since: ago(5),
          },
        ],
      },
      {
        severity: 'warning',
        since: ago(5),
        params: { storage_id: 5, name: 'Berg', message: 'Refused.' },
        count: 8,
      },
    ],
    [
      'pictures-failing',
      {
        catalog: {
          products: 0,
          deleted: 0,
          categories: 0,
          pictures_pending: 4,
          pictures_failed: 17,
          pictures_failed_since: ago(7),
          last_batch_at: null,
        },
      },
      { severity: 'warning', since: ago(7), params: {}, count: 17 },
    ],
    [
      'erp-silent',
      { apis: { erp: { ...api, last_call_at: ago(1_441) }, b2b: api } },
      { severity: 'warning', since: ago(1_441), params: {}, count: 1 },
    ],
    [
      'secrets-unreadable',
      pricing({ unreadable: [{ id: 2, name: 'North' }] }),
      { severity: 'error', since: null, params: { storages: [], price_lists: [{ id: 2, name: 'North' }] }, count: 1 },
    ],
    [
      'disk-full',
      pricing({ disk: { free_bytes: gib, size_bytes: 100 * gib } }),
      {
        severity: 'error',
        since: null,
        params: { service: 'pricing-import', free_bytes: gib, size_bytes: 100 * gib },
        count: 1,
      },
    ],
  ])('%s', (code, changes, expected) => {
    expect(findProblems(parts(changes))).toEqual([{ code, ...expected }])
  })

  it.each([
    ['erp-not-ready', { erp: null, b2b: null }, { erp_enabled: true }, ['token', 'storage', 'pick-up point']],
    ['b2b-not-ready', { erp: null, b2b: null }, { b2b_enabled: true }, ['token']],
  ])('%s', (code, tokens, values, missing) => {
    const settings = { values: { ...defaultSettings, ...values }, tokens }
    expect(findProblems(parts({ settings }))).toEqual([
      { code, severity: 'error', since: null, params: { missing }, count: 1 },
    ])
  })

  it.each<[string, Partial<FoundParts>, Partial<Settings>]>([
    ['an import that waits for 9 minutes', imports(ago(9)), ready],
    ['an ERP that called 23 hours ago', { apis: { erp: { ...api, last_call_at: ago(1_380) }, b2b: api } }, ready],
    ['an ERP API that is off', { apis: { erp: { ...api, last_call_at: ago(9_000) }, b2b: api } }, {}],
    [
      'an ERP whose calls are not known',
      { apis: { erp: { ...api, last_call_at: null, requests: null }, b2b: api } },
      ready,
    ],
    ['a small disk that is half empty', pricing({ disk: { free_bytes: gib, size_bytes: 2 * gib } }), ready],
  ])('%s is none', (_name, changes, values) => {
    expect(findProblems(parts(changes, values))).toEqual([])
  })

  it('are errors before warnings', () => {
    const found = findProblems(
      parts({
        ...imports(ago(11)),
        services: [{ name: 'stock', state: 'away', ms: null, awaySince: now }],
        apis: { erp: { ...api, last_call_at: ago(9_000) }, b2b: api },
      }),
    )
    expect(found.map(({ code }) => code)).toEqual(['service-away', 'imports-waiting', 'erp-silent'])
  })
})
