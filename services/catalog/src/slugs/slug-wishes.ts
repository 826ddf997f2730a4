import type { SlugChoice } from './slug-choice.js'
import { type SlugWish, slugWish } from './slug-wish.js'

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

  /** @param stored the slug the item has, if it is stored */
  choose(key: string, stored: string | undefined): string {
    const slug = this.choice.choose(key, this.wishOf(key), stored)
    this.slugs.set(key, slug)
    return slug
  }

  wishOf(key: string): SlugWish {
    let wish = this.wishes.get(key)
    if (!wish) this.wishes.set(key, wish = slugWish(this.groups.get(key) ?? [], this.nameOf, this.fallback))
    return wish
  }

  /** The slug chosen last. */
  chosen(key: string): string {
    return this.slugs.get(key) ?? ''
  }
}
