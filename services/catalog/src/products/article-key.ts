/** An article as it is compared: NFKC, upper case, letters of any script and digits only; leading zeros stay (decisions, "Article normalisation"). */
export function articleKey(article: string): string {
  return article.normalize('NFKC').toUpperCase().replace(/[^\p{L}\p{Nd}]+/gu, '')
}
