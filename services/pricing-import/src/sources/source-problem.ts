import type { PriceListSource } from '@partsbus/contracts/price-list'

/** Why a source cannot run, told when it is saved. */
export function sourceProblem(source: PriceListSource): { field: string; text: string } | undefined {
  if (source.kind === 'ftp') return undefined
  if (source.kind !== 'url') return { field: 'kind', text: `Sources of the kind ${source.kind} cannot be fetched.` }
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return { field: 'url', text: 'The url must be an http or https URL.' }
  // it would be stored and shown in clear
  if (url.username !== '' || url.password !== '') return { field: 'url', text: 'The url must not hold a user name or password; send them as username and password.' }
  return undefined
}
