import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { supplierFault } from '../dialects/read-rows.js'

/** Networks that are not public, or not one host (IANA special-purpose registries). */
const special: Array<[string, number, 'ipv4' | 'ipv6']> = [
  ['0.0.0.0', 8, 'ipv4'], ['10.0.0.0', 8, 'ipv4'], ['100.64.0.0', 10, 'ipv4'], ['127.0.0.0', 8, 'ipv4'], ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'], ['192.0.0.0', 24, 'ipv4'], ['192.0.2.0', 24, 'ipv4'], ['192.88.99.0', 24, 'ipv4'], ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'], ['198.51.100.0', 24, 'ipv4'], ['203.0.113.0', 24, 'ipv4'], ['224.0.0.0', 3, 'ipv4'],
  ['2001::', 23, 'ipv6'], ['2001:db8::', 32, 'ipv6'], ['2002::', 16, 'ipv6'], ['3fff::', 20, 'ipv6'],
]
/** Link-local networks: where clouds hand out credentials, and no supplier lives. */
const neverUnlessAllowed: Array<[string, number, 'ipv4' | 'ipv6']> = [['169.254.0.0', 16, 'ipv4'], ['fe80::', 10, 'ipv6'], ['fd00:ec2::254', 128, 'ipv6']]

/**
 * Says which addresses http suppliers may be at (docs/decisions/supplier-addresses.md). The address is checked where the
 * connection is made, so a name cannot be pointed elsewhere between check and connection.
 */
export class AddressGuard {
  private readonly strict: boolean
  private readonly names = new Set<string>()
  private readonly allowed = new BlockList()
  private readonly refused = new BlockList()
  private readonly global = new BlockList()

  constructor({ strict, allowed }: { strict: boolean; allowed: readonly string[] }) {
    this.strict = strict
    this.global.addSubnet('2000::', 3, 'ipv6')
    for (const [network, bits, family] of strict ? special : neverUnlessAllowed) this.refused.addSubnet(network, bits, family)
    for (const entry of allowed) this.allow(entry)
  }

  /** @throws AppError UNAVAILABLE when the host is an address that may not be asked; names are checked by {@link lookup} */
  checkHost(hostname: string): void {
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    if (isIP(host) !== 0 && !this.permits(host, host)) throw refusal(host)
  }

  /** For the connector: resolves a name and refuses it when any of its addresses may not be asked. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    systemLookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, [])
      const bad = found.find(({ address }) => !this.permits(hostname, address))
      if (bad) return done(refusal(hostname), [])
      if (options.all) return done(null, found)
      const [first] = found
      return first ? done(null, first.address, first.family) : done(refusal(hostname), [])
    })
  }

  private permits(hostname: string, address: string): boolean {
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
    const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
    if (this.names.has(hostname.toLowerCase().replace(/\.$/, '')) || this.allowed.check(plain, family)) return true
    if (this.refused.check(plain, family)) return false
    return !this.strict || family === 'ipv4' || this.global.check(plain, 'ipv6')
  }

  private allow(entry: string): void {
    const [network = '', bits] = entry.split('/')
    const family = isIP(network)
    if (family === 0) this.names.add(entry.toLowerCase())
    else this.allowed.addSubnet(network, bits === undefined ? (family === 4 ? 32 : 128) : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
}

function refusal(host: string): Error {
  return supplierFault(`The address of ${host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.`)
}
