import type { PriceListSource } from '@partsbus/contracts/price-list'

/** Why a source cannot run, told when it is saved. */
export function sourceProblem(source: PriceListSource): { field: string; text: string } | undefined {
  if (source.kind !== 'url')
    return /^[^\s/@:]+$|^\[?[0-9a-f:]+\]?$/i.test(source.host)
      ? undefined
      : { field: 'host', text: 'The host must be a host name or an address.' }
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return { field: 'url', text: 'The url must be an http or https URL.' }
  // it would be stored and shown in clear
  if (url.username !== '' || url.password !== '')
    return { field: 'url', text: 'The url must not hold a user name or password; send them as username and password.' }
  return undefined
}
