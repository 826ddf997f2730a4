import { describe, expect, it } from '@jest/globals'
import { isAddressOrRange, listContains, parseAddress, parseAddressList } from './address-list.js'
import { clientAddress } from './client-address.js'

describe('a list of addresses and CIDR blocks', () => {
  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['::1', true],
    ['2001:db8::/32', true],
    ['::ffff:10.0.0.0/104', true],
    ['10.0.0.0/33', false],
    ['2001:db8::/129', false],
    ['10.0.0', false],
    ['0x7f.1', false],
    ['2130706433', false],
    ['010.0.0.1', false],
    ['example.org', false],
    ['', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['::ffff:10.0.0.0/90', false],
  ])('%j is an entry: %j', (text, is) => expect(isAddressOrRange(text)).toBe(is))

  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['::ffff:10.1.2.3', ['10.1.2.3'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['2001:db8:0:1::5', ['2001:db8:0:1::/64'], true],
    ['2001:db8:0:2::5', ['2001:db8:0:1::/64'], false],
    ['::1', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['nonsense'], false],
  ])('%s against %j: %j', (address, list, is) => {
    const parsed = parseAddress(address)
    expect(parsed && listContains(parseAddressList(list), parsed)).toBe(is)
  })
})

describe('the client address (rules.md#client-ip)', () => {
  const proxies = parseAddressList(['10.0.0.0/8', '::1'])
  it.each([
    ['no proxies are trusted: the header is not read', '203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
    ['the peer is no trusted proxy: the header is not read', '203.0.113.9', '198.51.100.1', proxies, '203.0.113.9'],
    ['one trusted proxy', '10.0.0.1', '198.51.100.1', proxies, '198.51.100.1'],
    [
      'the first untrusted from the right, whatever the client wrote before it',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.1, 10.0.0.2',
      proxies,
      '198.51.100.1',
    ],
    ['all trusted: the left-most', '10.0.0.1', '10.0.0.3, 10.0.0.2', proxies, '10.0.0.3'],
    ['no header: the proxy itself', '10.0.0.1', undefined, proxies, '10.0.0.1'],
    ['IPv4 inside IPv6 is IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.1', proxies, '198.51.100.1'],
    ['with ports', '::1', '198.51.100.1:4711', proxies, '198.51.100.1'],
    ['IPv6 with a port', '::1', '[2001:db8::7]:443', proxies, '2001:db8::7'],
    ['junk from a trusted proxy is no address', '10.0.0.1', '<script>', proxies, undefined],
    ['empty entries are no address', '10.0.0.1', '198.51.100.1,', proxies, undefined],
    ['no socket address', undefined, '198.51.100.1', proxies, undefined],
  ])('%s', (_what, socket, header, trusted, expected) => expect(clientAddress(socket, header, trusted)).toBe(expected))
})
