import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { isSuffixedSlug, suffixedSlug } from './slug.js'
import type { SlugWish } from './slug-wish.js'

/** How far a block of numbers may be looked through at once. */
const MAX_BLOCK = 4_096

/** From how many names on one look-up beats their counters, and how many numbers beyond the needed ones it looks at. */
const MIN_LOOKED_UP = 4
const LOOK_AHEAD = 3

/*
 * One batch's slugs. A key's candidate: wished → (refused by the unique index) → numbered → numbered again …
 * Numbers come from a counter of the wished text, so that many writers of one name do not try the same ones.
 */
export class SlugChoice {
  private readonly counters: CounterStore
  private readonly kind: string
  private readonly inUse: (slugs: string[]) => Promise<Set<string>>
  private readonly wishes = new Map<string, SlugWish>()
  private readonly given = new Map<string, string>()
  private readonly claimed = new Set<string>()
  private readonly nextNumber = new Map<string, number>()
  private readonly vacated = new Set<string>()
  private readonly refusals = new Map<string, number>()

  /** @param options.inUse which of some slugs are stored; a hint that saves refused writes */
  constructor(options: {
    kind: 'product' | 'category'
    counters: CounterStore
    inUse: (slugs: string[]) => Promise<Set<string>>
  }) {
    this.kind = options.kind
    this.counters = options.counters
    this.inUse = options.inUse
  }

  /**
   * The slug to write for a key.
   * @param stored the slug it has, if it is stored
   */
  choose(key: string, wish: SlugWish, stored?: string): string {
    if (stored !== undefined && (!wish.sent || stored === wish.text)) return stored
    // a slug that was refused before is kept in its suffixed form, so that a repeated request changes nothing
    if (stored !== undefined && this.refusals.has(key) && isSuffixedSlug(stored, wish.text)) return stored
    if (stored !== undefined) this.vacated.add(stored)
    const given = this.given.get(key)
    if (given !== undefined) return given
    this.wishes.set(key, wish)
    return this.give(key, this.unclaimed(wish.text))
  }

  /** Finds the next candidates of keys whose slugs the database refused. */
  async refuse(keys: readonly string[]): Promise<void> {
    const numbered = new Map<string, string[]>()
    for (const key of keys) {
      const text = this.wishes.get(key)?.text
      if (text === undefined) continue
      const refusals = (this.refusals.get(key) ?? 0) + 1
      this.refusals.set(key, refusals)
      // another item of this batch has left that slug in the meantime
      if (refusals === 1 && this.vacated.has(this.given.get(key) ?? '')) continue
      numbered.set(text, [...(numbered.get(text) ?? []), key])
    }
    await this.giveFree(numbered)
    await Promise.all([...numbered].map(([text, some]) => this.number(text, some)))
  }

  /** Several names refused at once, as when a whole catalogue comes again under other keys: one look-up instead of a counter for each. */
  private async giveFree(numbered: Map<string, string[]>): Promise<void> {
    const first = [...numbered].filter(([, keys]) => keys.every((key) => this.refusals.get(key) === 1))
    if (first.length < MIN_LOOKED_UP) return
    const candidates = first.map(([text, keys]) =>
      Array.from({ length: keys.length + LOOK_AHEAD }, (_, at) => suffixedSlug(text, at + 2)),
    )
    const used = await this.inUse(candidates.flat())
    for (const [at, [text, keys]] of first.entries()) {
      const free = (candidates[at] ?? []).filter((slug) => !used.has(slug) && !this.claimed.has(slug))
      if (free.length < keys.length) continue
      for (const [position, key] of keys.entries()) this.give(key, free[position] ?? text)
      numbered.delete(text)
    }
  }

  private async number(text: string, keys: string[]): Promise<void> {
    const refusals = Math.max(...keys.map((key) => this.refusals.get(key) ?? 1))
    const block = keys.length * Math.min(8 ** (refusals - 1), 1e9)
    const first = await this.counters.allocate(`${this.kind}-slug:${text}`, block)
    const free = refusals === 1 ? undefined : await this.freeNumbers(text, first, block)
    for (const [at, key] of keys.entries()) {
      const number = free ? (free[at] ?? first + block - keys.length + at) : first + at
      this.give(key, suffixedSlug(text, number + 1))
    }
  }

  private async freeNumbers(text: string, first: number, block: number): Promise<number[]> {
    const count = Math.min(block, MAX_BLOCK)
    const numbers = Array.from({ length: count }, (_, at) => first + block - count + at)
    const used = await this.inUse(numbers.map((number) => suffixedSlug(text, number + 1)))
    return numbers.filter((number) => {
      const slug = suffixedSlug(text, number + 1)
      return !used.has(slug) && !this.claimed.has(slug)
    })
  }

  /** Within the batch the plan itself keeps slugs apart. */
  private unclaimed(text: string): string {
    if (!this.claimed.has(text)) return text
    for (let number = this.nextNumber.get(text) ?? 2; ; number += 1) {
      const candidate = suffixedSlug(text, number)
      if (this.claimed.has(candidate)) continue
      this.nextNumber.set(text, number + 1)
      return candidate
    }
  }

  private give(key: string, slug: string): string {
    this.given.set(key, slug)
    this.claimed.add(slug)
    return slug
  }
}
