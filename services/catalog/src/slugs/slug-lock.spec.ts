import { describe, expect, it } from '@jest/globals'
import { SlugLock } from './slug-lock.js'

describe('SlugLock', () => {
  it('serializes writers of one slug and lets others pass', async () => {
    const lock = new SlugLock()
    const order: string[] = []
    const unlockFirst = await lock.acquire(['a', 'b'])
    const second = lock.acquire(['b', 'c']).then((unlock) => {
      order.push('second')
      return unlock
    })
    const unlockThird = await lock.acquire(['c'])
    order.push('third')
    unlockThird()
    unlockFirst()
    const unlockSecond = await second
    expect(order).toEqual(['third', 'second'])
    unlockSecond()
    const unlock = await lock.acquire(['a', 'b', 'c'])
    unlock()
  })
})
