import type { SlugChoice } from './slug-choice.js'
import { type SlugWish, slugEntry, slugWish } from './slug-wish.js'

/** What the keys of a batch wish for, and what they got. */
export class SlugWishes<Item extends { slug?: string | null | undefined }> {
  private readonly choice: SlugChoice
  private readonly groups: Map<string, Item[]>
  private readonly nameOf: (item: Item) => string
  private readonly fallback: string
  private readonly wishes = new Map<string, SlugWish>()
  private readonly slugs = new Map<string, string>()

  constructor(choice: SlugChoice, groups: Map<string, Item[]>, nameOf: (item: Item) => string, fallback: string) {
    this.choice = choice
    this.groups = groups
    this.nameOf = nameOf
    this.fallback = fallback
  }

  /** @param stored the slug the item has, if it is stored; it stays unless another one is sent */
  choose(key: string, stored: string | undefined): string {
    if (stored !== undefined && !this.groups.get(key)?.some(({ slug }) => slug)) return stored
    const slug = this.choice.choose(key, this.wishOf(key), stored)
    this.slugs.set(key, slug)
    return slug
  }

  private wishOf(key: string): SlugWish {
    let wish = this.wishes.get(key)
    if (!wish) this.wishes.set(key, (wish = slugWish(this.groups.get(key) ?? [], this.nameOf, this.fallback)))
    return wish
  }

  /** The error entry an item gets for the slug it sent, if any. */
  entryOf(key: string, item: Item): string | undefined {
    return item.slug ? slugEntry(item.slug, this.wishOf(key), this.slugs.get(key) ?? '') : undefined
  }
}
