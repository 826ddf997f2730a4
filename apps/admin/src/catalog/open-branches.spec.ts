import { describe, expect, it } from '@jest/globals'
import { readOpen, toggleOpen } from './open-branches.js'

describe('opened branches in the URL', () => {
  it('are ids with commas, each once, and anything else is ignored', () => {
    expect(readOpen('12,40,12,x,0,-3,')).toEqual([12, 40])
    expect(readOpen('')).toEqual([])
  })

  it('are added and removed one by one', () => {
    expect(toggleOpen('', 12)).toBe('12')
    expect(toggleOpen('12', 40)).toBe('12,40')
    expect(toggleOpen('12,40', 12)).toBe('40')
  })
})
