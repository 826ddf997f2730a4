import { literalAddress, mayConnect, type Reach } from '@partsbus/platform/address-guard'
import type { AllowedHosts } from '@partsbus/platform/allowed-hosts'
import { guardedLookup } from '@partsbus/platform/guarded-lookup'
import { buildConnector } from 'undici'
import { supplierFault } from '../dialects/read-rows.js'

/** Which addresses http suppliers may be at (docs/decisions/supplier-addresses.md). */
export interface AddressRules {
  reach: Reach
  allowed: AllowedHosts
}

/** Connects to addresses that the rules allow, and to no other: they are checked where the connection is made. */
export function guardedConnector({ reach, allowed }: AddressRules, timeout: number): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>()
  const connectorTo = (port: number): buildConnector.connector => {
    const known = connectors.get(port)
    if (known) return known
    const lookup = guardedLookup((address, hostname) => mayConnect(address, { hostname, port }, allowed, reach), refusal)
    const connector = buildConnector({ timeout, lookup })
    connectors.set(port, connector)
    return connector
  }
  return (options, done) => {
    const { hostname, protocol } = options
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80)
    const literal = literalAddress(hostname)
    // an address is not looked up
    if (literal !== undefined && !mayConnect(literal, { hostname, port }, allowed, reach)) return done(refusal(hostname), null)
    return connectorTo(port)(options, done)
  }
}

function refusal(host: string): Error {
  return supplierFault(`The address of ${host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.`)
}
