import { describe, expect, it } from '@jest/globals'
import { isAddressOrRange, listContains, parseAddress, parseAddressList } from './address-list.js'

// rules.md#address-lists
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
    ['10.0/8', false],
    ['010.0.0.0/8', false],
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
