import { findFreeSuffixes } from './find-free-suffixes.js'
import { isSuffixedSlug, suffixedSlug } from './slug.js'
import { SlugLock } from './slug-lock.js'
import { lastSentSlug, type SluggedItem, type SlugRequest, slugRequest } from './slug-request.js'

/** An item that needs a slug. */
export interface SlugClaim {
  key: string
  /** the slug that the item has; undefined for a new item */
  stored: string | undefined
}

/** Allocates the slugs of one kind of item, which are unique within that kind (rules.md#slug-unique). */
export class SlugAllocator {
  readonly lock = new SlugLock()
  /**
   * Whether new items are looked up before they are written. Most catalogues have distinct names, and their batches
   * save the query (5 % of their time); after a collision the batches query first, until one finds no collision.
   */
  expectsCollisions = false
  readonly findTaken: (slugs: string[]) => Promise<ReadonlySet<string>>

  /** @param findTaken which of some slugs are stored; a hint that saves refused writes, the unique index decides */
  constructor(findTaken: (slugs: string[]) => Promise<ReadonlySet<string>>) {
    this.findTaken = findTaken
  }

  /**
   * @param items the items of the batch by key, in the order sent
   * @param sourceText the text that a slug is generated from
   * @param fallback the slug of a text without letters and digits
   */
  forBatch<Item extends SluggedItem>(
    items: ReadonlyMap<string, readonly Item[]>,
    sourceText: (item: Item) => string,
    fallback: string,
  ): BatchSlugs {
    return new BatchSlugs(
      this,
      (key) => lastSentSlug(items.get(key) ?? []),
      (key) => slugRequest(items.get(key) ?? [], sourceText, fallback),
    )
  }
}

/*
 * The slugs of one batch. A key: requested → assigned (assign) → stored, or refused by the unique index (refuse)
 * → assigned again. A key whose slug is stored or assigned already is not assigned another one.
 */
export class BatchSlugs {
  private readonly allocator: SlugAllocator
  private readonly lastSent: (key: string) => string
  private readonly createRequest: (key: string) => SlugRequest
  private readonly requests = new Map<string, SlugRequest>()
  private readonly assigned = new Map<string, string>()
  /** assigned within this batch; a stored slug that an item keeps is not among them */
  private readonly claimed = new Set<string>()
  /** stored slugs that items of this batch give up, with the key of their owner */
  private readonly vacated = new Map<string, string>()
  private readonly refused = new Set<string>()

  constructor(
    allocator: SlugAllocator,
    lastSent: (key: string) => string,
    createRequest: (key: string) => SlugRequest,
  ) {
    this.allocator = allocator
    this.lastSent = lastSent
    this.createRequest = createRequest
  }

  request(key: string): SlugRequest {
    let request = this.requests.get(key)
    if (!request) this.requests.set(key, (request = this.createRequest(key)))
    return request
  }

  /** Whether the rules may change the slug of this item. */
  isRequested({ key, stored }: SlugClaim): boolean {
    if (stored === undefined) return true
    const sent = this.lastSent(key)
    return sent !== '' && sent !== stored
  }

  /** Waits for other batches of this process that request the same slugs. @returns the function that unlocks them */
  lock(claims: readonly SlugClaim[]): Promise<() => void> {
    return this.allocator.lock.acquire([...new Set(claims.map(({ key }) => this.request(key).text))])
  }

  /** The assigned slug: a new one, or the stored one when the item keeps it. */
  slugOf(key: string): string | undefined {
    return this.assigned.get(key)
  }

  /** Assigns slugs to those items that have none yet, in the order of the claims. */
  async assign(claims: readonly SlugClaim[]): Promise<void> {
    const open = claims.filter(({ key }) => !this.assigned.has(key))
    if (open.length === 0) return
    for (const { key, stored } of open) if (stored !== undefined) this.vacated.set(stored, key)
    const taken = await this.findTaken(open)
    const colliding = new Map<string, SlugClaim>()
    for (const claim of open) {
      const { text } = this.request(claim.key)
      // of items that want each other's slugs, the first is refused for good, and the others follow it
      const isFollowing = colliding.has(this.vacated.get(text) ?? '')
      if (this.isFree(claim.key, text, taken, isFollowing)) this.give(claim.key, text)
      // the item keeps the suffix that it got before, so that a repeated request changes nothing
      else if (claim.stored !== undefined && isSuffixedSlug(claim.stored, text)) this.keep(claim.key, claim.stored)
      else colliding.set(claim.key, claim)
    }
    await this.assignSuffixes([...colliding.values()])
  }

  /** Withdraws slugs that the unique index refused. */
  refuse(keys: readonly string[]): void {
    if (keys.length > 0) this.allocator.expectsCollisions = true
    for (const key of keys) {
      this.refused.add(key)
      this.claimed.delete(this.assigned.get(key) ?? '')
      this.assigned.delete(key)
    }
  }

  private async findTaken(claims: readonly SlugClaim[]): Promise<ReadonlySet<string>> {
    const texts = new Set(claims.map(({ key }) => this.request(key).text))
    // names that collide within the batch are queried anyway, for their suffixes
    const isNeeded = texts.size < claims.length || claims.some(({ stored }) => stored !== undefined)
    if (!isNeeded && !this.allocator.expectsCollisions) return new Set()
    const taken = await this.allocator.findTaken([...texts])
    this.allocator.expectsCollisions = taken.size > 0
    return taken
  }

  private isFree(key: string, text: string, taken: ReadonlySet<string>, isFollowing: boolean): boolean {
    if (this.claimed.has(text)) return false
    // another item of this batch gives the slug up; whether it has done so already is decided by the unique index
    return !taken.has(text) || (this.vacated.has(text) && (isFollowing || !this.refused.has(key)))
  }

  private async assignSuffixes(claims: readonly SlugClaim[]): Promise<void> {
    const texts = [...new Set(claims.map(({ key }) => this.request(key).text))]
    const next = await findFreeSuffixes(texts, async (slugs) => {
      const taken = new Set(await this.allocator.findTaken(slugs))
      for (const slug of slugs) if (this.claimed.has(slug)) taken.add(slug)
      return taken
    })
    for (const { key } of claims) {
      const { text } = this.request(key)
      let number = next.get(text) ?? 2
      while (this.claimed.has(suffixedSlug(text, number))) number += 1
      this.give(key, suffixedSlug(text, number))
      next.set(text, number + 1)
    }
  }

  private give(key: string, slug: string): void {
    this.assigned.set(key, slug)
    this.claimed.add(slug)
  }

  private keep(key: string, stored: string): void {
    this.assigned.set(key, stored)
    this.vacated.delete(stored)
  }
}
