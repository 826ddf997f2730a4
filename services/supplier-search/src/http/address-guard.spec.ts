import { describe, expect, it } from '@jest/globals'
import { AddressGuard } from './address-guard.js'

const mayAsk = (guard: AddressGuard, host: string): boolean => {
  try {
    guard.checkHost(new URL(`http://${host}/`).hostname)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('SUPPLIER_ALLOWED_HOSTS') })
    return false
  }
}

describe('addresses of suppliers', () => {
  it('without the guard an administrator may name any address but those of cloud metadata', () => {
    const guard = new AddressGuard({ strict: false, allowed: [] })
    expect(['127.0.0.1', '10.0.0.1', '192.168.1.1', '[::1]', '8.8.8.8', '2130706433'].map((host) => mayAsk(guard, host))).toEqual(Array(6).fill(true))
    expect(['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '2852039166', '0xa9fea9fe'].map((host) => mayAsk(guard, host))).toEqual(Array(6).fill(false))
  })

  it('with the guard only public addresses, and those that operators allow', () => {
    const guard = new AddressGuard({ strict: true, allowed: ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'] })
    expect(['8.8.8.8', '[2a00:1450::1]', '10.1.2.3', '127.0.0.1', '[fd00::1]', '[::ffff:10.1.2.3]'].map((host) => mayAsk(guard, host))).toEqual(Array(6).fill(true))
    expect(['10.2.0.1', '127.0.0.2', '192.168.1.1', '[::1]', '[::]', '0', '[2002:7f00:1::]', '[64:ff9b::7f00:1]', '100.64.0.1', '255.255.255.255'].map((host) => mayAsk(guard, host)))
      .toEqual(Array(10).fill(false))
  })

  it.each<[string[], boolean]>([[[], false], [['LocalHost'], true], [['127.0.0.0/8', '::1'], true]])('a name is judged by where it leads: with %j allowed localhost is %s', async (allowed, expected) => {
    const guard = new AddressGuard({ strict: true, allowed })
    const error = await new Promise((done) => guard.lookup('localhost', { all: true }, done))
    expect(error === null).toBe(expected)
  })
})
