import { describe, expect, it } from '@jest/globals'
import { AnswerCache } from './answer-cache.js'

describe('the cache of answers', () => {
  it('keeps an answer for its seconds', () => {
    let now = 0
    const cache = new AnswerCache(1_000, () => now)
    cache.put('a', [1], 60)
    now = 59_999
    expect(cache.get('a')).toEqual([1])
    now = 60_000
    expect(cache.get('a')).toBeUndefined()
  })

  it('keeps an empty answer too, and nothing for zero seconds', () => {
    const cache = new AnswerCache(1_000, () => 0)
    cache.put('a', [], 60)
    cache.put('b', [1], 0)
    expect(cache.get('a')).toEqual([])
    expect(cache.get('b')).toBeUndefined()
  })

  it('lets the least recently used go when it is full, and takes no answer that would fill it', () => {
    const cache = new AnswerCache(60, () => 0)
    for (let at = 0; at < 10; at += 1) cache.put(`${at}`, [at], 60)
    expect(cache.get('0')).toEqual([0])
    cache.put('10', [10], 60)
    expect(cache.get('1')).toBeUndefined()
    expect(cache.get('0')).toEqual([0])
    cache.put('large', Array(50).fill(0), 60)
    expect(cache.get('large')).toBeUndefined()
  })

  it('an answer that replaces another weighs once', () => {
    const cache = new AnswerCache(60, () => 0)
    cache.put('a', [1], 60)
    for (let round = 0; round < 100; round += 1) cache.put('b', [round], 60)
    expect(cache.get('a')).toEqual([1])
  })
})
