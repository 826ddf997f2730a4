import { keysOf, type SynonymGroup } from './brand-names.js'

/** Older knowledge is thrown away even if nothing seems to have changed: a process may die in the middle of a change. */
const MAX_AGE_MS = 5_000
const MAX_KEYS = 50_000

/**
 * Synonym groups that were read under one revision of them all. Every change raises the revision before and after it is written,
 * so what was read under the revision of now is what stands there now, or a change is under way that nobody was told of yet.
 */
export class KnownGroups {
  private readonly load: (keys: readonly string[]) => Promise<SynonymGroup[]>
  private readonly now: () => number
  private revision = -1
  private since = 0
  private known = new Map<string, SynonymGroup | undefined>()

  /**
   * @param load the groups that any of these brand keys is in
   * @param now milliseconds of a clock that never goes back
   */
  constructor(load: (keys: readonly string[]) => Promise<SynonymGroup[]>, now: () => number = () => performance.now()) {
    this.load = load
    this.now = now
  }

  /** @param revision as it was read after the question came */
  async under(revision: number, keys: readonly string[]): Promise<SynonymGroup[]> {
    if (revision > this.revision || this.now() - this.since > MAX_AGE_MS || this.known.size > MAX_KEYS)
      this.startAfresh(revision)
    const { known } = this
    const unknown = keys.filter((key) => !known.has(key))
    if (unknown.length > 0) {
      const loaded = new Map(
        (await this.load(unknown)).flatMap((group) => keysOf(group).map((key) => [key, group] as const)),
      )
      // if somebody started afresh meanwhile, this map is read by nobody any more
      for (const key of unknown) known.set(key, loaded.get(key))
    }
    return groupsOf(known, keys)
  }

  /** What is known of these keys without asking; undefined when it is not all of them. For a start that may be thrown away. */
  lastTime(keys: readonly string[]): SynonymGroup[] | undefined {
    if (!keys.every((key) => this.known.has(key))) return undefined
    return groupsOf(this.known, keys)
  }

  private startAfresh(revision: number): void {
    this.revision = revision
    this.since = this.now()
    this.known = new Map()
  }
}

/** Each once. */
function groupsOf(known: ReadonlyMap<string, SynonymGroup | undefined>, keys: readonly string[]): SynonymGroup[] {
  return [...new Set(keys.map((key) => known.get(key)).filter((group) => group !== undefined))]
}
