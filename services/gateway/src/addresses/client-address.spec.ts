import { describe, expect, it } from '@jest/globals'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { clientAddress } from './client-address.js'

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
