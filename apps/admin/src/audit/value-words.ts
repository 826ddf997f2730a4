import type { References } from '../shell/jump-target.js'
import type { Texts } from '../texts/en.js'
import type { Formats } from '../ui/formats.js'

/** The words for a value that is neither a list nor an object; undefined where it is shown as it is. */
export type WordValue = (path: string, value: unknown) => string | undefined

interface Context {
  t: Texts
  formats: Formats
  /** Undefined until they are loaded. */
  references: References | undefined
}

type Word = (value: unknown, context: Context) => string | undefined
type Words = Record<string, Word>

const choice =
  (labels: (t: Texts) => Record<string, string>): Word =>
  (value, { t }) => {
    const known = labels(t)
    return Object.hasOwn(known, String(value)) ? known[String(value)] : undefined
  }

const named =
  (kind: 'storages' | 'pick_up_points'): Word =>
  (value, { references }) =>
    references?.[kind].find(({ id }) => id === value)?.name

const amount: Word = (value, { formats }) => (typeof value === 'number' ? formats.amount(value) : undefined)
const size: Word = (value, { formats }) => (typeof value === 'number' ? formats.size(value) : undefined)
const share: Word = (value, { formats }) => (typeof value === 'number' ? formats.percent(value) : undefined)
/** Not a count: neither grouped nor rounded. */
const number: Word = (value) => String(value)

/** Why settings were changed together with something else; undefined where it has no words. */
export function wordReason(value: unknown, t: Texts['audit'], references: References | undefined): string | undefined {
  const [, kind = '', id = '', what = ''] = /^(storage|pick-up-point) (\d+) was (.+)$/.exec(String(value)) ?? []
  if (!Object.hasOwn(t.reasons, what)) return undefined
  const things = kind === 'storage' ? references?.storages : references?.pick_up_points
  const name = things?.find((thing) => String(thing.id) === id)?.name ?? id
  return t.reasons[what]?.(t.subject(t.entities[kind] ?? kind, name))
}

const reason: Word = (value, { t, references }) => wordReason(value, t.audit, references)

/** Fields of an entity → how their values are worded. An item of a list is worded like its list. */
const WORDS: Record<string, Words> = {
  settings: {
    erp_error_policy: choice(({ setUp }) => setUp.settings.policies),
    admin_locale: choice(({ setUp }) => setUp.settings.locales),
    erp_storage_id: named('storages'),
    erp_pick_up_point_id: named('pick_up_points'),
    storages_for_crosses: named('storages'),
    'price-lists.import.max_file_size': size,
    reason,
  },
  'price-list': {
    storage_id: named('storages'),
    mode: choice(({ priceLists }) => priceLists.modes),
    min_rows_ratio: share,
    size,
    'format.encoding': choice(({ priceLists }) => ({ auto: priceLists.format.foundNothing })),
    'format.delimiter': choice(({ priceLists: { format } }) => ({ ...format.delimiters, auto: format.foundNothing })),
    'format.sheet': choice(({ priceLists }) => ({ all: priceLists.format.allSheets })),
    'format.header': choice(({ priceLists: { format } }) => ({
      auto: format.headers.found,
      true: format.headers.yes,
      false: format.headers.no,
    })),
    'format.duplicates': choice(({ priceLists }) => priceLists.format.duplicateRows),
    'sources.*.kind': choice(({ sources }) => sources.kinds),
    'sources.*.port': number,
  },
  'import-task': { size },
  storage: { 'supplier.kind': choice(({ setUp }) => setUp.storages.kinds) },
  'pick-up-point': { storage_ids: named('storages') },
  administrator: {
    role: choice(({ shell }) => shell.roles),
    theme: choice(({ shell }) => shell.theme),
    locale: choice(({ audit }) => audit.languages),
  },
  supply: {
    purchase_price: amount,
    selling_price: amount,
    old_price: amount,
  },
}

/** Numbers that are names of something. */
const NAMES = /(?:^|[._])(?:ids?|version|replaced)$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

/** Values of an entry in the language of the page: choices by the name in their form, times and numbers as there. */
export function valueWords(entity: string | null, context: Context): WordValue {
  const words = entity !== null && Object.hasOwn(WORDS, entity) ? WORDS[entity] : undefined
  return (path, value) => {
    const field = path.replace(/^sources\.\d+\./, 'sources.*.')
    const word = words !== undefined && Object.hasOwn(words, field) ? words[field] : undefined
    const worded = word?.(value, context)
    if (worded !== undefined) return worded
    if (typeof value === 'number') return NAMES.test(path) ? String(value) : context.formats.exact(value)
    if (typeof value === 'string' && TIME.test(value)) return context.formats.dateTime(new Date(value))
    return undefined
  }
}
