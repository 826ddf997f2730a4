/**
 * Keys for comparing articles and brands (rules.md#articles, rules.md#brand-names). Both are stored as they were sent.
 * Articles are shown so, too; partners see a brand as the canonical name of its synonym group, else as its key.
 */

const notLetterOrDigit = /[^\p{L}\p{N}]+/gu
const quotes = /["'`´‘’‚“”„«»‹›]+/g

// most articles and brands are plain ASCII, where NFKC and the classes of Unicode change nothing
const plainArticle = /^[A-Z0-9]*$/
const ascii = /^[ -~]*$/
const notAsciiLetterOrDigit = /[^A-Z0-9]+/g
const plainBrand = /^[A-Za-z0-9&.+/-]+(?: [A-Za-z0-9&.+/-]+)*$/

/**
 * Beyond it a text is no name: reordering its combining marks would take time by the square of their number. NFKC makes
 * up to 18 characters of one.
 */
const MAX_NORMALIZED = 1_000
const normalize = (text: string): string => text.slice(0, MAX_NORMALIZED).normalize('NFKC').slice(0, MAX_NORMALIZED)

/** NFKC, upper case, letters of any script and digits only. Leading zeros are kept. */
export function articleKey(article: string): string {
  if (plainArticle.test(article)) return article
  if (ascii.test(article)) return article.toUpperCase().replace(notAsciiLetterOrDigit, '')
  return normalize(article).toUpperCase().replace(notLetterOrDigit, '')
}

/** NFKC, trimmed, inner white space and quotes collapsed, upper case. The search applies synonyms in addition. */
export function brandKey(brand: string): string {
  if (plainBrand.test(brand)) return brand.toUpperCase()
  return normalize(brand).replace(quotes, ' ').replace(/\s+/g, ' ').trim().toUpperCase()
}
