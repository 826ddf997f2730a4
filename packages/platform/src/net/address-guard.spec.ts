import { describe, expect, it } from '@jest/globals'
import { literalAddress, mayConnect, readUrl } from './address-guard.js'
import { parseAddress } from './address-list.js'
import { readAllowedHosts } from './allowed-hosts.js'

const nothing = readAllowedHosts([])

/** Whether a URL whose host is an address may be requested. */
function mayRequest(url: string, allowed = nothing): boolean {
  const target = readUrl(url)
  if (typeof target === 'string') return false
  const address = literalAddress(target.hostname)
  return (
    address !== undefined &&
    mayConnect(address, { hostname: target.hostname, port: Number(target.port) || 80 }, allowed)
  )
}

describe('rejects addresses that are not public (rules.md#public-addresses, promises.md#promise-7)', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback, the whole /8', '127.255.255.254'],
    ['decimal', '2130706433'],
    ['hexadecimal', '0x7f000001'],
    ['octal', '017700000001'],
    ['octal parts', '0177.0.0.1'],
    ['hexadecimal parts', '0x7f.0x0.0x0.0x1'],
    ['short hexadecimal', '0x7f.1'],
    ['short', '127.1'],
    ['shorter', '127.0.1'],
    ['with a dot at its end', '127.0.0.1.'],
    ['full-width digits', '１２７.０.０.１'],
    ['ideographic full stops', '127。0。0。1'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['zero', '0'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['ten', '10.1.2.3'],
    ['172.16/12', '172.31.255.255'],
    ['192.168/16', '192.168.0.1'],
    ['carrier NAT', '100.64.0.1'],
    ['carrier NAT, its end', '100.127.255.255'],
    ['link local', '169.254.1.1'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata in decimal', '2852039166'],
    ['metadata of Azure, a public address', '168.63.129.16'],
    ['metadata of Azure, mapped', '[::ffff:168.63.129.16]'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['documentation 2', '198.51.100.7'],
    ['documentation 3', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '[::1]'],
    ['IPv6 loopback, long', '[0:0:0:0:0:0:0:1]'],
    ['IPv6 unspecified', '[::]'],
    ['mapped loopback', '[::ffff:127.0.0.1]'],
    ['mapped loopback in hexadecimal', '[::ffff:7f00:1]'],
    ['mapped private', '[::ffff:10.0.0.1]'],
    ['IPv4-compatible', '[::127.0.0.1]'],
    ['IPv4-translated', '[::ffff:0:7f00:1]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['NAT64 of a public one', '[64:ff9b::8.8.8.8]'],
    ['local NAT64', '[64:ff9b:1::1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:7f00:1::]'],
    ['unique local', '[fd00::1]'],
    ['unique local fc', '[fc00::1]'],
    ['IPv6 link local', '[fe80::1]'],
    ['site local', '[fec0::1]'],
    ['IPv6 multicast', '[ff02::1]'],
    ['IPv6 documentation', '[2001:db8::1]'],
    ['ORCHID', '[2001:20::1]'],
    ['discard', '[100::1]'],
    ['outside of global unicast', '[4000::1]'],
    ['zone id', '[fe80::1%25eth0]'],
    ['zone id on loopback', '[::1%25lo]'],
    ['five parts', '1.2.3.4.5'],
    ['a part too large', '256.1.1.1'],
  ])('%s: %s', (_name, host) => {
    expect(mayRequest(`http://${host}/a.png`)).toBe(false)
    expect(mayRequest(`https://${host}:8443/a.png`)).toBe(false)
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '134744072',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '11.0.0.1',
    '[2606:4700::1111]',
    '[2a00:1450::1]',
    '[::ffff:8.8.8.8]',
  ])('accepts the public address %s', (host) => expect(mayRequest(`http://${host}/a.png`)).toBe(true))

  it('rejects answers of the resolver that are no address or have a zone', () => {
    for (const address of ['', 'localhost', 'fe80::1%eth0', '127.0.0.1/8', '::ffff:169.254.169.254']) {
      expect([address, mayConnect(address, { hostname: 'shop.example', port: 80 }, nothing)]).toEqual([address, false])
    }
  })
})

describe('reach of private networks (addresses that an administrator configured)', () => {
  const mayReach = (host: string, allowed = nothing): boolean => {
    const { hostname } = new URL(`http://${host}/`)
    return mayConnect(literalAddress(hostname) ?? '', { hostname, port: 80 }, allowed, 'private')
  }

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '2130706433',
    '[::1]',
    '[fd12::1]',
    '[::ffff:10.0.0.1]',
    '8.8.8.8',
    '[2a00:1450::1]',
  ])('accepts %s', (host) => {
    expect(mayReach(host)).toBe(true)
  })

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[::169.254.169.254]',
    '224.0.0.1',
    '255.255.255.255',
    '[ff02::1]',
  ])('rejects %s unless it is allowed', (host) => {
    expect(mayReach(host)).toBe(false)
    expect(mayReach(host, readAllowedHosts(['0.0.0.0/0', '::/0']))).toBe(true)
  })
})

describe('a URL', () => {
  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://shop.example/a.png', 'scheme'],
    ['data:image/png;base64,AAAA', 'scheme'],
    ['gopher://shop.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['blob:http://shop.example/1', 'scheme'],
    ['http://user:pass@shop.example/a.png', 'credentials'],
    ['http://user@shop.example/a.png', 'credentials'],
    ['/a.png', 'not a URL'],
    ['shop.example/a.png', 'not a URL'],
    ['http://', 'not a URL'],
    [`http://shop.example/${'a'.repeat(3_000)}`, 'too long'],
  ])('%# rejects %s: %s', (url, reason) => expect(readUrl(url)).toContain(reason))

  it.each(['http://shop.example/a.png', 'HTTPS://Shop.Example:8443/a.png?x=1#top', 'http://магазин.рф/фото.jpg'])(
    'parses %s',
    (url) => {
      expect(readUrl(url)).toBeInstanceOf(URL)
    },
  )
})

describe('media_allowed_hosts', () => {
  it.each([
    [['127.0.0.1'], 'http://127.0.0.1:9000/', true],
    [['127.0.0.1'], 'http://2130706433/', true],
    [['127.0.0.1'], 'http://127.0.0.2/', false],
    [['10.0.0.0/8'], 'http://10.200.1.1/', true],
    [['10.0.0.0/8'], 'http://11.0.0.1/', true],
    [['10.0.0.0/24'], 'http://10.0.1.1/', false],
    [['::1'], 'http://[::1]/', true],
    [['::1'], 'http://127.0.0.1/', false],
    [['fd00::/8'], 'http://[fd12::1]/', true],
    [['10.0.0.0/8'], 'http://[::ffff:10.0.0.1]/', true],
    [['::ffff:10.0.0.0/104'], 'http://10.1.1.1/', true],
    [['127.0.0.1:9000'], 'http://127.0.0.1:9000/', true],
    [['127.0.0.1:9000'], 'http://127.0.0.1:9001/', false],
    [['0.0.0.0/0'], 'http://[::1]/', false],
    [['10'], 'http://0.0.0.10/', false],
    [['', ' ', '/8', '10.0.0.0/99', '*'], 'http://10.0.0.1/', false],
  ])('%j allows %s: %s', (entries, url, expected) => expect(mayRequest(url, readAllowedHosts(entries))).toBe(expected))

  // rules.md#address-lists
  it.each([
    ['10.0/8', 'http://10.1.1.1/'],
    ['10.1/16', 'http://10.0.0.1/'],
    ['010.0.0.0/8', 'http://8.8.4.4/'],
    ['0x0a.0.0.0/8', 'http://10.1.1.1/'],
    ['::ffff:0:0/64', 'http://[::1]/'],
  ])('the odd spelling %s does not allow %s', (entry, url) => {
    const { hostname } = new URL(url)
    expect(readAllowedHosts([entry]).hasAddress(parseAddress(hostname.replace(/[[\]]/g, ''))!)).toBe(false)
  })

  it.each([
    ['erp.local', 'erp.local', 80, true],
    ['ERP.Local', 'erp.local', 80, true],
    ['erp.local.', 'erp.local', 80, true],
    ['erp.local', 'erp.local.', 80, true],
    ['erp.local:8080', 'erp.local', 8_080, true],
    ['erp.local:8080', 'erp.local', 80, false],
    ['erp.local', 'evil-erp.local', 80, false],
    ['erp.local', 'sub.erp.local', 80, false],
    ['erp.local', 'erp.local.evil.example', 80, false],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai', 80, true],
  ])('the name %s allows %s:%d: %s', (entry, hostname, port, expected) => {
    expect(mayConnect('192.168.1.5', { hostname, port }, readAllowedHosts([entry]))).toBe(expected)
  })
})
