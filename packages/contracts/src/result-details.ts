import { z } from 'zod'

/*
 * Details that a batch answers in addition to its documented result when the request has the header
 * `X-Result-Details: 1` (erp.md#result-details).
 */

/**
 * `note`: for information. `retrying`: Partsbus retries by itself. `failed`: a part of the item was not done and will
 * not be retried. `rejected`: nothing of the item was written (erp.md#details-levels).
 */
export const detailLevels = ['note', 'retrying', 'failed', 'rejected'] as const
export type DetailLevel = (typeof detailLevels)[number]

/** All codes, with the level of each; erp.md#result-codes lists the same ones. */
export const resultCodes = {
  slug_normalized: 'note',
  slug_taken: 'note',
  not_found: 'note',
  attribute_repeated: 'note',
  item_repeated: 'note',
  parent_not_found: 'retrying',
  category_not_found: 'retrying',
  image_pending: 'retrying',
  image_retrying: 'retrying',
  image_failed: 'failed',
  parent_cycle: 'failed',
  product_not_found: 'rejected',
  too_large: 'rejected',
  required: 'rejected',
  max: 'rejected',
  max_items: 'rejected',
  min: 'rejected',
  integer: 'rejected',
  number: 'rejected',
  text: 'rejected',
  date: 'rejected',
  format: 'rejected',
} as const satisfies Record<string, DetailLevel>

export type ResultCode = keyof typeof resultCodes

function listCodes(): string {
  return Object.keys(resultCodes)
    .map((code) => `\`${code}\``)
    .join(', ')
}

export const resultDetail = z
  .object({
    index: z.int().describe('position of the item in the request, from 0'),
    key: z.string().describe('its `id_erp`, `product_id_erp` or id; at most 191 characters; `""` when it has none'),
    path: z.string().describe('the field inside the item, like `images.0.url`; `""`: the item as a whole'),
    code: z.string().describe(`${listCodes()}; a later version may add codes`),
    level: z.enum(detailLevels),
    message: z.string().describe('at most 500 characters'),
    reason: z.string().nullable().describe('why a download failed; null where `message` says all'),
  })
  .meta({ id: 'ResultDetail' })

export type ResultDetail = z.infer<typeof resultDetail>

/** erp.md#details-unchanged, erp.md#details-media, erp.md#details-items */
export const resultDetails = z
  .object({
    unchanged: z.int().describe('items that were stored like this already'),
    media_pending: z.int().describe('images that are not fetched yet'),
    ignored_fields: z
      .record(z.string(), z.int())
      .describe('fields of items that Partsbus does not know, and how often each was sent'),
    items: z.array(resultDetail).describe('the first 1,000, by index'),
  })
  .meta({ id: 'ResultDetails' })

export type ResultDetails = z.infer<typeof resultDetails>

const MAX_ITEMS = 1_000
/** More are not collected; the first 1,000 of them are shown. */
const MAX_COLLECTED = 20_000
const MAX_IGNORED_NAMES = 100
const MAX_KEY = 191
const MAX_MESSAGE = 500

/** The outcome of one item. */
export interface ItemNote {
  code: ResultCode
  message: string
  /** absent: the item as a whole */
  path?: string
  reason?: string | null
}

/** Collects the details of one batch, also for a 422 (erp.md#details-422). Absent unless details were requested. */
export class DetailCollector {
  unchanged = 0
  mediaPending = 0
  private readonly ignored = new Map<string, number>()
  private readonly items: ResultDetail[] = []
  private readonly positions = new Map<object, number>()

  /** @param item as the use case gets it */
  setPosition(item: object, index: number): void {
    this.positions.set(item, index)
  }

  /** Adds a note of a valid item. */
  addFor(item: object, key: string, note: ItemNote): void {
    this.add(this.positions.get(item) ?? 0, key, note)
  }

  add(index: number, key: string, { code, message, path = '', reason = null }: ItemNote): void {
    if (this.items.length >= MAX_COLLECTED) return
    this.items.push({
      index,
      key: key.slice(0, MAX_KEY),
      path,
      code,
      level: resultCodes[code],
      message: message.slice(0, MAX_MESSAGE),
      reason,
    })
  }

  /** Counts the fields of an item that its schema lacks, also in nested objects (erp.md#details-ignored). */
  countIgnored(schema: z.ZodType, value: unknown, prefix = ''): void {
    const known = unwrap(schema)
    if (known instanceof z.ZodArray && Array.isArray(value)) {
      for (const each of value) this.countIgnored(known.element as z.ZodType, each, prefix)
    }
    if (!(known instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value)) return
    const shape = known.shape as Record<string, z.ZodType>
    for (const [name, field] of Object.entries(value)) {
      const type = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (type) this.countIgnored(type, field, `${prefix}${name}.`)
      else this.ignore(prefix + name.slice(0, MAX_KEY))
    }
  }

  toReply(): ResultDetails {
    return {
      unchanged: this.unchanged,
      media_pending: this.mediaPending,
      ignored_fields: Object.fromEntries(this.ignored),
      items: this.items.toSorted((a, b) => a.index - b.index).slice(0, MAX_ITEMS),
    }
  }

  private ignore(name: string): void {
    const count = this.ignored.get(name)
    if (count !== undefined || this.ignored.size < MAX_IGNORED_NAMES) this.ignored.set(name, (count ?? 0) + 1)
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap() as z.ZodType
  return inner
}
