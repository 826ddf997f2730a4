import { describe, expect, it } from '@jest/globals'
import { read, sourcePaths } from './testing/checkout.js'
import { initializer, readMemory, sharedResources } from './testing/resource-table.js'

/** The folders whose processes serve several callers at once; readers of files and tools serve one. */
const FOLDERS = [
  ...['gateway', 'administration', 'catalog', 'stock', 'supplier-search', 'pricing-import'].map(
    (service) => `services/${service}/src`,
  ),
  ...['platform', 'http-guard', 'file-store', 'upload-store', 'price-file'].map((name) => `packages/${name}/src`),
]

/** Names of bounds. */
const NAME = new RegExp(
  `\\bconst ((?:[A-Z]+_)*(?:${[
    'AT_ONCE|ACTIVE|PARALLEL\\w*|LANES|\\w*SLOTS|\\w*FLIGHT|WAITING|REQUESTED|CHECKS|QUEUE|WRITES|PENDING\\w*|AHEAD',
    'CACHED\\w*|CACHE_BYTES|KNOWN|KEPT|IN_MEMORY|COUNTED|ENTRIES|HOSTS|SUPPLIERS|SUBJECTS|LISTS|URLS',
    'HELD_BACK|MAX_OPEN\\w*',
    'MEMORY\\w*|BUFFERED\\w*|RESPONSES|ALL_BYTES|IDLE_MB|CONNECTIONS|SESSIONS|BATCHES',
  ].join('|')}))\\b[^=\\n]*= (?:\\{|[\\d(]|[A-Z_]+ \\*)`,
  'g',
)
/** What holds or limits something for all its callers. */
const HOLDERS =
  '\\w*Semaphore|Admission|\\w+Queue|\\w+Budget|\\w+Slots|ArrivingBodies|BatchedLookup|BoundedMap|LRUCache|Transfers'
const HOLDER = new RegExp(`new (?:${HOLDERS})\\b(?:<[^;=]*?>)?\\(`, 'g')
/** An object of limits. */
const LIMITS = /const ([A-Z_]+) = \{[^}]*\b(?:requests|ofOne|active|atOnce|images): /g

/** Bounds that callers do not share. */
const OF_ONE: Record<string, string> = {
  'services/catalog/src/items/item-store.ts#LANES': 'one batch',
  'services/catalog/src/items/item-document.ts#MAX_BATCHES': 'one item',
  'services/catalog/src/categories/linked-product-store.ts#PARALLEL': 'one batch',
  'services/catalog/src/media/media-work-loop.ts#CLAIMED_AT_ONCE': 'one claim',
  'services/catalog/src/media/claimed-images.ts#CLAIMED_AT_ONCE': 'one claim',
  'services/catalog/src/media/media-job-store.ts#REARMED_AT_ONCE': 'one step of a call',
  'services/administration/src/settings/check-settings.ts#PARALLEL': 'one call',
  'services/administration/src/sessions/session-store.ts#MAX_SESSIONS': 'one administrator',
  'services/gateway/src/media/file-chunks.ts#CHUNKS_AHEAD': 'one response',
  'services/gateway/src/admin/exports/send-export.ts#BUFFERED': 'one response',
  'services/pricing-import/src/price-lists/price-list-record.ts#KEPT_VERSIONS': 'one price list',
  'services/pricing-import/src/reading/row-source.ts#MAX_CACHED_CELLS': 'one file, in its reader process',
  'services/pricing-import/src/reading/row-source.ts#MAX_CACHED_CHARACTERS': 'one file, in its reader process',
  'services/pricing-import/src/rows/hash-table.ts#FIRST_SLOTS': 'one file, in its reader process',
  'packages/price-file/src/xlsx/scan-elements.ts#MAX_PENDING': 'one file, in its reader process',
  'services/stock/src/supplies/supply-events.ts#MAX_ENTRIES': 'one read',
  'packages/platform/src/mongo/delete-range.ts#DELETED_AT_ONCE': 'one step of a sweep',
  'packages/platform/src/process/migrate-service.ts#CONNECTIONS': 'a process of its own',
  'packages/platform/src/diagnosis/diagnose-service.ts#CONNECTIONS': 'a process of its own',
}

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/(?<!\w)\d[\d,_]*(?:\.\d+)?/g)].map(([digits]) => Number(digits.replace(/[,_]/g, '')))

/** The text up to the parenthesis that closes. */
function argumentsFrom(text: string, start: number): string {
  let end = start
  for (let open = 1; open > 0 && end < text.length; end += 1) {
    if (text[end] === '(') open += 1
    else if (text[end] === ')') open -= 1
  }
  return text.slice(start, end - 1)
}

describe('shared resources (rules.md#shared-resources)', () => {
  const listed = new Set(sharedResources.flatMap(({ constants }) => constants))

  it.each(sharedResources)('$name: $bound, $share, $memory', ({ bound, share, memory, constants }) => {
    const coded = constants.map(initializer)
    // the size of an entry is an estimate
    const cells = `${bound} ${share} ${memory.replace(/× [\d,]+ B\b/, '')}`
    const own = numbersIn(cells)
    expect([1, ...coded.flatMap(numbersIn)]).toEqual(expect.arrayContaining(own))
    // a bound that the page does not name
    const limits = [...coded[0]!.matchAll(/\b(?:requests|ofOne|atOnce|active|slow|images): ([\d_]+)/g)]
    const single = /^(?:\.default\()?([\d_]+)\)?,?$/.exec(coded[0]!)?.[1]
    const named = [...limits.map(([, value = '']) => value), ...(single === undefined ? [] : [single])]
    expect(own).toEqual(expect.arrayContaining(named.filter((value) => value !== '0').flatMap(numbersIn)))
    expect(readMemory(memory).mib).toBeGreaterThanOrEqual(0)
  })

  it('lists every bound of every service and package, unless one caller alone meets it', () => {
    const missing: string[] = []
    for (const path of FOLDERS.flatMap(sourcePaths)) {
      const text = read(path)
      const names = [...text.matchAll(NAME), ...text.matchAll(LIMITS)].map(([, name = '']) => `${path}#${name}`)
      missing.push(...names.filter((name) => !listed.has(name) && !(name in OF_ONE)))
      for (const { 0: made, index } of text.matchAll(HOLDER)) {
        const options = argumentsFrom(text, index + made.length)
        const used = [...options.matchAll(/\b[A-Z][A-Z_]+\b/g)].map(([name]) => name)
        // a constant of this file, or of another that it imports; parameters are checked where they are given
        const isListed = used.some((name) => [...listed].some((constant) => constant.endsWith(`#${name}`)))
        if (!isListed && (used.length > 0 || /\b[1-9]/.test(options))) missing.push(`${path}: ${made}${options})`)
      }
    }
    expect([...new Set(missing)]).toEqual([])
  })

  it('excepts nothing that is not there', () => {
    for (const constant of Object.keys(OF_ONE)) expect(initializer(constant)).not.toBe('')
  })
})
