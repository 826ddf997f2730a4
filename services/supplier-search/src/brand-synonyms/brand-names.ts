import { brandKey } from '@partsbus/contracts/article'

/** Brand keys in one request to the catalog or the price lists. */
const MAX_KEYS = 1_000

/** Spellings of one brand. */
export interface SynonymGroup {
  id: number
  canonical: string
  synonyms: string[]
}

/**
 * Brands and their synonym groups (rules.md#brand-names). The groups must be all those that contain the brands which
 * are looked up.
 */
export class BrandNames {
  private readonly groups = new Map<string, SynonymGroup>()

  constructor(private readonly list: readonly SynonymGroup[]) {
    for (const group of list) {
      for (const spelling of listSpellings(group)) this.groups.set(brandKey(spelling), group)
    }
  }

  /** Whether these are the same groups, as they were read once. */
  equals(other: BrandNames): boolean {
    return this.list.length === other.list.length && this.list.every((group, at) => group === other.list[at])
  }

  /** The same for all spellings of a brand. */
  identity(brand: string): string {
    return this.identityOfKey(brandKey(brand))
  }

  /** As {@link identity}, for a brand key. */
  identityOfKey(key: string): string {
    const group = this.groups.get(key)
    return group ? brandKey(group.canonical) : key
  }

  /** The name that partners see: the canonical name of the group, else the brand key. */
  displayName(key: string): string {
    return this.groups.get(key)?.canonical ?? key
  }

  /** Every known spelling, the given one first. */
  spellings(brand: string): string[] {
    const group = this.groups.get(brandKey(brand))
    return group ? [...new Set([brand, ...listSpellings(group)])] : [brand]
  }

  /** The keys of every spelling of these brands; undefined when they are too many for one request. */
  spellingKeys(brands: readonly string[]): string[] | undefined {
    const keys = [...new Set(brands.flatMap((brand) => this.spellings(brand)).map(brandKey))].sort()
    return keys.length > MAX_KEYS ? undefined : keys
  }
}

function listSpellings(group: Pick<SynonymGroup, 'canonical' | 'synonyms'>): string[] {
  return [group.canonical, ...group.synonyms]
}

/** The distinct brand keys of a group. */
export function groupKeys(group: Pick<SynonymGroup, 'canonical' | 'synonyms'>): string[] {
  return [...new Set(listSpellings(group).map(brandKey))]
}
