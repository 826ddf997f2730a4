import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { buildConnector } from 'undici'
import { literalAddress, mayConnect, type Reach } from './address-guard.js'
import type { AllowedHosts } from './allowed-hosts.js'

export interface GuardOptions {
  reach: Reach
  allowed: AllowedHosts
  /** the error for an address that may not be connected to */
  refusal: (hostname: string) => Error
}

export interface ConnectionOptions {
  /** milliseconds for making a connection */
  connectMs: number
  /** milliseconds after which a connection without a request is closed */
  unusedMs?: number
  /** certificate authorities, PEM, instead of the usual ones */
  ca?: string[]
}

/**
 * A connector for the HTTP client that connects to allowed addresses only. Addresses are checked where the connection
 * is made, so a name cannot be pointed elsewhere between the check and the connection; each redirect is checked the
 * same way.
 */
export function guardedConnector(
  { reach, allowed, refusal }: GuardOptions,
  { connectMs, unusedMs, ca }: ConnectionOptions,
): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>()
  const connectorTo = (port: number): buildConnector.connector => {
    const known = connectors.get(port)
    if (known) return known
    const isAllowed = (address: string, hostname: string): boolean =>
      mayConnect(address, { hostname, port }, allowed, reach)
    const connector = buildConnector({
      timeout: connectMs,
      lookup: guardedLookup(isAllowed, refusal),
      ...(ca !== undefined && { ca }),
    })
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
      if (error === null && unusedMs !== undefined) closeUnused(socket, unusedMs)
      done(...made)
    })
  }
}

/** One forbidden address among several is enough to refuse a name: the client chooses among them. */
function guardedLookup(
  isAllowed: (address: string, hostname: string) => boolean,
  refusal: (hostname: string) => Error,
): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, [])
      const [first] = found
      if (!first || found.some(({ address }) => !isAllowed(address, hostname))) return done(refusal(hostname), [])
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }
}

/** The client makes a new connection for a request that was cancelled, and only then finds that it is not needed. */
function closeUnused(socket: Socket, afterMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesWritten === 0) socket.destroy()
  }, afterMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
