/**
 * How articles and brands are compared (decisions, "Article normalisation", "Brand normalisation").
 * The raw form is what is stored and shown.
 */

const notLetterOrDigit = /[^\p{L}\p{N}]+/gu
const quotes = /["'`´‘’‚“”„«»‹›]+/g

const plainArticle = /^[A-Z0-9]*$/
const plainBrand = /^[A-Z0-9&.+/-]+(?: [A-Z0-9&.+/-]+)*$/

/** NFKC, upper case, letters of any script and digits only. Leading zeros stay. */
export function articleKey(article: string): string {
  // most are in this form already
  if (plainArticle.test(article)) return article
  return article.normalize('NFKC').toUpperCase().replace(notLetterOrDigit, '')
}

/** NFKC, trimmed, inner white space and quotes collapsed, upper case. Synonyms come on top, in the search. */
export function brandKey(brand: string): string {
  if (plainBrand.test(brand)) return brand
  return brand.normalize('NFKC').replace(quotes, ' ').replace(/\s+/g, ' ').trim().toUpperCase()
}
