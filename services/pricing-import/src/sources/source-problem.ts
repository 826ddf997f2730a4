import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'

/** Checks a source when it is saved. @returns the reason why it cannot run, or undefined */
export function sourceProblem(source: PriceListSource): { field: string; text: string } | undefined {
  if (source.kind !== 'url')
    return /^[^\s/@:]+$|^\[?[0-9a-f:]+\]?$/i.test(source.host)
      ? undefined
      : { field: 'host', text: 'The host must be a host name or an address.' }
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return { field: 'url', text: 'The url must be an http or https URL.' }
  // credentials in the url would be stored and shown in plain text
  if (url.username !== '' || url.password !== '')
    return {
      field: 'url',
      text: 'The url must not contain a user name or password; send them as username and password.',
    }
  return undefined
}
