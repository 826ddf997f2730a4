import type { Socket } from 'node:net'
import { literalAddress, mayConnect, type Reach } from '@partsbus/platform/net/address-guard'
import type { AllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { guardedLookup } from '@partsbus/platform/net/guarded-lookup'
import { buildConnector } from 'undici'
import { supplierFault } from '../dialects/read-rows.js'

/** Which addresses http suppliers may be at (docs/decisions/0006-supplier-addresses.md). */
export interface AddressRules {
  reach: Reach
  allowed: AllowedHosts
}

/** Milliseconds that a connection may take to be made, and that it may wait for its first request. */
export interface ConnectionTimes {
  connectMs: number
  unusedMs: number
}

/** Connects to addresses that the rules allow, and to no other: they are checked where the connection is made. */
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
    // an address is not looked up
    if (literal !== undefined && !mayConnect(literal, { hostname, port }, allowed, reach))
      return done(refusal(hostname), null)
    return connectorTo(port)(options, (...made) => {
      const [error, socket] = made
      if (error === null) closeUnused(socket, unusedMs)
      done(...made)
    })
  }
}

/** The client makes a new connection for a request that was cancelled, and finds only then that nobody wants it any more. */
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
