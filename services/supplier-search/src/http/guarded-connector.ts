import type { Socket } from 'node:net'
import { literalAddress, mayConnect, type Reach } from '@partsbus/platform/net/address-guard'
import type { AllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { guardedLookup } from '@partsbus/platform/net/guarded-lookup'
import { buildConnector } from 'undici'
import { supplierFault } from '../dialects/read-rows.js'

/** The addresses at which http suppliers may be (docs/decisions/0006-supplier-addresses.md). */
export interface AddressRules {
  reach: Reach
  allowed: AllowedHosts
}

/** Milliseconds to make a connection, and for which it may wait for its first request. */
export interface ConnectionTimes {
  connectMs: number
  unusedMs: number
}

/** Connects only to addresses that the rules allow; they are checked where the connection is made. */
export function guardedConnector(
  { reach, allowed }: AddressRules,
  { connectMs, unusedMs }: ConnectionTimes,
): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>()
  const connectorTo = (port: number): buildConnector.connector => {
    const known = connectors.get(port)
    if (known) return known
    const lookup = guardedLookup(
      (address, hostname) => mayConnect(address, { hostname, port }, allowed, reach),
      refusal,
    )
    const connector = buildConnector({ timeout: connectMs, lookup })
    connectors.set(port, connector)
    return connector
  }
  return (options, done) => {
    const { hostname, protocol } = options
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80)
    const literal = literalAddress(hostname)
    // there is no DNS look-up of a literal address
    if (literal !== undefined && !mayConnect(literal, { hostname, port }, allowed, reach))
      return done(refusal(hostname), null)
    return connectorTo(port)(options, (...made) => {
      const [error, socket] = made
      if (error === null) closeUnused(socket, unusedMs)
      done(...made)
    })
  }
}

/** undici makes a connection for a request that was cancelled, and notices only then that it is not needed. */
function closeUnused(socket: Socket, afterMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesWritten === 0) socket.destroy()
  }, afterMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

function refusal(host: string): Error {
  return supplierFault(`The address of ${host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.`)
}
