import { expect, it } from '@jest/globals'
import { ByteBudget } from './byte-budget.js'

/** Notes the name when the bytes are held. */
function wanting(budget: ByteBudget, held: string[]) {
  return (host: string, bytes: number, name = host) =>
    budget.acquire(host, bytes).then((release) => {
      held.push(name)
      return release
    })
}

it('never exceeds the budget, and serves downloads in order', async () => {
  const held: string[] = []
  const acquire = wanting(new ByteBudget(40), held)
  const [release] = await Promise.all([acquire('a', 8), acquire('b', 10), acquire('c', 10), acquire('d', 10)])
  const large = acquire('e', 5, 'large')
  const small = acquire('f', 1, 'small')
  await new Promise(setImmediate)
  expect(held).toEqual(['a', 'b', 'c', 'd'])
  release()
  release()
  ;(await large)()
  ;(await small)()
  expect(held.slice(4)).toEqual(['large', 'small'])
  // released once, however often it is said
  await Promise.all([acquire('a', 8), acquire('e', 2)])
  void acquire('f', 1, 'too much')
  await new Promise(setImmediate)
  expect(held).not.toContain('too much')
})

it('one host has a quarter of the budget, and what waits for it holds up no other (rules.md#overload)', async () => {
  const held: string[] = []
  const acquire = wanting(new ByteBudget(40), held)
  const release = await acquire('slow', 10, 'first')
  const second = acquire('slow', 10, 'second')
  const other = await acquire('fast', 10)
  expect(held).toEqual(['first', 'fast'])
  release()
  await second
  other()
  expect(held).toEqual(['first', 'fast', 'second'])
})
