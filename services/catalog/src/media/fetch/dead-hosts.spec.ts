import { describe, expect, it } from '@jest/globals'
import { DeadHosts } from './dead-hosts.js'

describe('DeadHosts', () => {
  it('count as dead at once when unreachable, and after three time-outs in a row', () => {
    const hosts = new DeadHosts(60_000)
    hosts.unreachable('a', 'refused')
    for (let count = 0; count < 2; count += 1) hosts.timedOut('b', 'slow')
    expect([hosts.reason('a'), hosts.reason('b')]).toEqual(['refused', undefined])
    hosts.answered('b')
    for (let count = 0; count < 2; count += 1) hosts.timedOut('b', 'slow')
    expect(hosts.reason('b')).toBeUndefined()
    hosts.timedOut('b', 'slow')
    expect(hosts.reason('b')).toBe('slow')
  })

  it('are no more than 10,000, however many the ERP names', () => {
    const hosts = new DeadHosts(60_000)
    for (let count = 0; count <= 10_000; count += 1) hosts.unreachable(String(count), 'refused')
    expect([hosts.reason('0'), hosts.reason('10000')]).toEqual([undefined, 'refused'])
  })
})
