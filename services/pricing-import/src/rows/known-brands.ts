/** A group of spellings of one brand. */
export interface KnownBrand {
  canonical: string
  synonyms: readonly string[]
}

/** Words of a brand; longer ones are not looked for. */
const MOST_WORDS = 5
/** Characters of a text in which brands are looked for. */
const MOST_CHARACTERS = 500
/** A letter alone is part of a model. */
const LEAST_CHARACTERS = 2

/** Finds known brands in names (admin.md#known-brands). The time for a name does not depend on how many are known. */
export class KnownBrands {
  /** words of a spelling → canonical name */
  private readonly spellings = new Map<string, string>()
  private mostWords = 0

  constructor(brands: readonly KnownBrand[]) {
    for (const { canonical, synonyms } of brands) {
      for (const spelling of [canonical, ...synonyms]) {
        const words = wordsOf(spelling)
        const text = words.join(' ')
        if (words.length > MOST_WORDS || text.length < LEAST_CHARACTERS || this.spellings.has(text)) continue
        this.spellings.set(text, canonical)
        this.mostWords = Math.max(this.mostWords, words.length)
      }
    }
  }

  /** The brand whose spelling is the longest in the text, of equal ones the first; else blank. */
  find(text: string): string {
    const words = wordsOf(text)
    let longest = ''
    for (let start = 0; start < words.length; start += 1) {
      let spelling = ''
      for (const word of words.slice(start, start + this.mostWords)) {
        spelling = spelling === '' ? word : `${spelling} ${word}`
        if (spelling.length > longest.length && this.spellings.has(spelling)) longest = spelling
      }
    }
    return this.spellings.get(longest) ?? ''
  }
}

/** Upper case, letters and digits of any script. */
function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, MOST_CHARACTERS)
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
