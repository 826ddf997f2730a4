import { Injectable } from '@nestjs/common'
import { listBrandSynonyms } from '@partsbus/contracts/supplier-search/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import type { KnownBrand } from '../rows/known-brands.js'
import type { ReadingRules } from '../rows/row-reader.js'

/** A page of them fits in a message also when each group has hundreds of spellings. */
const PER_PAGE = 50
/** Further groups, and further spellings, are not known: a task stores its brands. */
const MAX_PAGES = 40
const MAX_SPELLINGS = 10_000
/** for all pages */
const LIMIT_MS = 3_000

/** Asks the search for the brands of its synonym groups. */
@Injectable()
export class ReadKnownBrands {
  constructor(private readonly calls: BusClient) {}

  /**
   * The rules with the known brands, if they look for them and do not have them yet.
   * @throws AppError when the search does not answer
   */
  async withKnownBrands(rules: ReadingRules, timeLeftMs = LIMIT_MS): Promise<ReadingRules> {
    if (rules.format.known_brands !== true || rules.known_brands) return rules
    return { ...rules, known_brands: await this.read(Math.min(LIMIT_MS, timeLeftMs)) }
  }

  private async read(timeLeftMs: number): Promise<KnownBrand[]> {
    const brands: KnownBrand[] = []
    let spellings = 0
    let after: { after_id?: number } = {}
    const deadline = performance.now() + timeLeftMs
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const timeoutMs = Math.max(1, deadline - performance.now())
      const { data, total } = await this.calls.request(
        listBrandSynonyms,
        // a search of the release before knows numbers of pages only
        { page, per_page: PER_PAGE, ...after },
        { timeoutMs },
      )
      for (const { canonical, synonyms } of data) {
        spellings += synonyms.length + 1
        if (spellings > MAX_SPELLINGS) return brands
        brands.push({ canonical, synonyms })
      }
      const last = data.at(-1)
      if (!last || brands.length >= total) break
      after = { after_id: last.id }
    }
    return brands
  }
}
