import type { KnownBrands } from './known-brands.js'
import type { Layout } from './layout.js'
import { isBlank, pick } from './read-row.js'

/** Headings, one below the other, in which a known brand is looked for. */
const MOST_NESTED = 10

/*
 * The headings of groups above a row, one below the other (add), until a row that is none follows (end); the next one
 * begins anew. Lists do not say how deep a heading is, so only headings without rows between them count as nested.
 */
export class GroupHeadings {
  private headings: string[] = []
  private isEnded = false
  /** of the rows below: the innermost heading or, where brands are known, the one that the innermost heading names */
  brand = ''

  constructor(private readonly known: KnownBrands | undefined) {}

  /** Below a total nothing is known. */
  clear(): void {
    this.headings = []
    this.brand = ''
  }

  add(cells: string[], layout: Layout): void {
    if (this.isEnded) this.clear()
    this.isEnded = false
    const heading = pick(cells, layout, 'name') || (cells.find((cell) => !isBlank(cell))?.trim() ?? '')
    this.headings = [heading, ...this.headings].slice(0, MOST_NESTED)
    this.brand = this.known ? this.nearestKnown(this.known) : heading
  }

  end(): void {
    this.isEnded = true
  }

  private nearestKnown(known: KnownBrands): string {
    for (const heading of this.headings) {
      const brand = known.find(heading)
      if (brand !== '') return brand
    }
    return ''
  }
}
