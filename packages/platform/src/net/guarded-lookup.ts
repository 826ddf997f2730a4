import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * A look-up for the connector itself, so that a name cannot be pointed elsewhere between the check and the connection.
 * One forbidden address among several is enough to refuse: which of them is connected to is not ours to choose.
 * @param refusal the error when one of the addresses may not be connected to
 */
export function guardedLookup(
  mayConnect: (address: string, hostname: string) => boolean,
  refusal: (hostname: string) => Error,
): LookupFunction {
  return (hostname, options, done) => {
    systemLookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, [])
      const [first] = found
      if (!first || found.some(({ address }) => !mayConnect(address, hostname))) return done(refusal(hostname), [])
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }
}
