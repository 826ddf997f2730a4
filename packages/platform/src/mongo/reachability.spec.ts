import { expect, it } from '@jest/globals'
import { ServerType } from 'mongodb'
import { Reachability } from './reachability.js'

const { Unknown, Standalone, RSPrimary, RSSecondary, RSOther, RSGhost, Mongos, LoadBalancer } = ServerType

function start() {
  const clock = { ms: 50_000 }
  const reachability = new Reachability(() => clock.ms)
  const see = (...types: string[]) => reachability.update(types.map((type) => ({ type })))
  return { reachability, see, clock }
}

it.each([Standalone, RSPrimary, Mongos, LoadBalancer])('a %s makes the database reachable', (type) => {
  const { reachability, see } = start()
  expect(reachability.isUp()).toBe(false)
  expect(see(Unknown, type)).toBe(true)
  expect(reachability.isUp()).toBe(true)
})

it.each([Unknown, RSSecondary, RSOther, RSGhost])('a %s alone does not', (type) => {
  const { reachability, see } = start()
  expect(see(type)).toBeUndefined()
  expect(reachability.isUp()).toBe(false)
})

it('requests are accepted for two seconds of an election, and refused after them (promises.md#promise-5)', () => {
  const { reachability, see, clock } = start()
  see(RSPrimary, RSSecondary, RSSecondary)
  expect(see(Unknown, RSSecondary, RSSecondary)).toBe(false)
  clock.ms += 1_999
  expect(see(RSSecondary, RSSecondary, RSSecondary)).toBeUndefined()
  expect(reachability.isUp()).toBe(true)
  clock.ms += 1
  expect(reachability.isUp()).toBe(false)
  expect(see(RSPrimary, RSSecondary, RSSecondary)).toBe(true)
  expect(reachability.isUp()).toBe(true)
})

it.each([Standalone, RSPrimary])('requests are refused at once when no other server is known beside a %s', (type) => {
  const { reachability, see } = start()
  see(type)
  expect(see(Unknown)).toBe(false)
  expect(reachability.isUp()).toBe(false)
})
