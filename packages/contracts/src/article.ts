/**
 * How articles and brands are compared (decisions, "Article normalisation", "Brand normalisation").
 * The raw form is what is stored and shown.
 */

const notLetterOrDigit = /[^\p{L}\p{N}]+/gu
const quotes = /["'`´‘’‚“”„«»‹›]+/g

/** NFKC, upper case, letters of any script and digits only. Leading zeros stay. */
export function articleKey(article: string): string {
  // most articles are plain ASCII, where NFKC changes nothing
  return article.normalize('NFKC').toUpperCase().replace(notLetterOrDigit, '')
}

/** NFKC, trimmed, inner white space and quotes collapsed, upper case. Synonyms come on top, in the search. */
export function brandKey(brand: string): string {
  return brand.normalize('NFKC').replace(quotes, ' ').replace(/\s+/g, ' ').trim().toUpperCase()
}
