import { expect, it } from '@jest/globals'
import { addressKey } from './address-key.js'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2::1', '20010db800010002'],
  ['2001:db8:1:2:ffff::9', '20010db800010002'],
  ['2001:db8:1:3::1', '20010db800010003'],
  [undefined, ''],
])('%s counts as %s (rules.md#overload)', (address, key) => expect(addressKey(address)).toBe(key))
