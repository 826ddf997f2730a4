import { describe, expect, it } from '@jest/globals'
import { liveOrder, numberVersions, rollBackTo, versionBefore } from './live-order.js'

/** `3 4- 2`: version 3 was live last, 4 before it and rolled back, 2 before that. */
function read(text: string) {
  return text.split(' ').map((word) => ({
    version: Number.parseInt(word, 10),
    rows: 1,
    created_at: new Date(0),
    ...(word.endsWith('-') && { is_rolled_back: true }),
  }))
}
function show(versions: ReturnType<typeof read>): string {
  return versions.map((each) => `${each.version}${each.is_rolled_back ? '-' : ''}`).join(' ')
}
const list = (text: string, active = Number.parseInt(text, 10)) => ({ versions: read(text), active_version: active })

describe('liveOrder', () => {
  it.each([
    ['4 3 2', 4, '4 3 2'],
    // as an earlier release stored it: by publication
    ['4 3 2', 3, '3 4- 2'],
    ['4 3 2', 2, '2 4- 3-'],
  ])('reads %s with %i active as %s', (stored, active, expected) => {
    expect(show(liveOrder(list(stored, active)))).toBe(expected)
  })
})

describe('the numbers of versions within their list (admin.md#versions)', () => {
  const version = (version: number, number?: number, at = version) => ({
    ...{ version, rows: 1, created_at: new Date(at), ...(number !== undefined && { number }) },
  })
  const numbers = (...versions: ReturnType<typeof version>[]) =>
    numberVersions(versions).map((each) => [each.version, each.number])

  it('are those that are stored', () => {
    expect(numbers(version(41, 7), version(38, 6))).toEqual([
      [41, 7],
      [38, 6],
    ])
  })

  it('count what an earlier release published, by age, and go on from the one before', () => {
    expect(numbers(version(38), version(41), version(12))).toEqual([
      [38, 2],
      [41, 3],
      [12, 1],
    ])
    // the upgrade is under way: the older code keeps the numbers that it finds
    expect(numbers(version(44), version(41, 7))).toEqual([
      [44, 8],
      [41, 7],
    ])
    // a merge that is older than what it was merged into was published after it
    expect(numbers(version(40, undefined, 99), version(41, 7))).toEqual([
      [40, 8],
      [41, 7],
    ])
  })
})

describe('versionBefore (admin.md#version-changes)', () => {
  it.each([
    ['4 3 2', undefined, 3],
    ['4 3 2', 3, 2],
    ['4 3 2', 2, undefined],
    ['2 3- 4-', 4, undefined],
    ['3 4- 2', 4, 2],
  ])('in %s, of %s: %s', (stored, version, expected) => {
    expect(versionBefore(list(stored), version)).toBe(expected)
  })
})

describe('rollBackTo (admin.md#rollback)', () => {
  it.each([
    ['4 3 2', 3, '3 4- 2', 2],
    ['4 3 2', 2, '2 4- 3-', undefined],
    ['3 4- 2', 2, '2 3- 4-', undefined],
    ['2 3- 4-', 4, '4 2 3-', 2],
    ['4 2 3-', 2, '2 4- 3-', undefined],
    ['3 4- 2', 3, '3 4- 2', 2],
  ])('from %s to %i leads to %s, and from there to %s', (stored, target, expected, next) => {
    const versions = rollBackTo(target, list(stored))
    expect(show(versions)).toBe(expected)
    expect(versionBefore({ versions, active_version: target })).toBe(next)
  })
})
