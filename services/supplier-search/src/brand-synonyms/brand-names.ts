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
 * Brands as synonym groups make them one (rules.md#brand-names). Knows the groups it was given,
 * which must be all those that the brands in question are in.
 */
export class BrandNames {
  private readonly groups = new Map<string, SynonymGroup>()

  constructor(groups: readonly SynonymGroup[]) {
    for (const group of groups) {
      for (const spelling of spellingsOf(group)) this.groups.set(brandKey(spelling), group)
    }
  }

  /** The same for all spellings of a brand. */
  identity(brand: string): string {
    return this.identityOf(brandKey(brand))
  }

  /** As {@link identity}, of a brand that is normalised. */
  identityOf(key: string): string {
    const group = this.groups.get(key)
    return group ? brandKey(group.canonical) : key
  }

  /** How partners see a brand that is normalised: by the group's canonical name, else as it is. */
  shownOf(key: string): string {
    return this.groups.get(key)?.canonical ?? key
  }

  /** Every known spelling, the given one first. */
  spellings(brand: string): string[] {
    const group = this.groups.get(brandKey(brand))
    return group ? [...new Set([brand, ...spellingsOf(group)])] : [brand]
  }

  /** The keys of every spelling of these brands; undefined when they are too many for one request. */
  spellingKeys(brands: readonly string[]): string[] | undefined {
    const keys = [...new Set(brands.flatMap((brand) => this.spellings(brand)).map(brandKey))].sort()
    return keys.length > MAX_KEYS ? undefined : keys
  }
}

function spellingsOf(group: Pick<SynonymGroup, 'canonical' | 'synonyms'>): string[] {
  return [group.canonical, ...group.synonyms]
}

/** The keys under which a group is found, each once. */
export function keysOf(group: Pick<SynonymGroup, 'canonical' | 'synonyms'>): string[] {
  return [...new Set(spellingsOf(group).map(brandKey))]
}
