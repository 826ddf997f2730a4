import { describe, expect, it } from '@jest/globals'
import { chooseMethod } from './choose-method.js'

const nothing = { replicaSet: undefined, hasMongodump: false }
const replicaSet = { ...nothing, replicaSet: 'rs0', hasMongodump: true }

describe('the method of a backup', () => {
  it.each([
    ['a replica set', undefined, replicaSet, 'mongodump'],
    ['a single server', undefined, { ...nothing, hasMongodump: true }, 'dump'],
    ['FerretDB of npm start', undefined, nothing, 'dump'],
    ['a pause that was asked for', 'dump', replicaSet, 'dump'],
  ] as const)('%s', (_case, given, surroundings, method) => {
    expect(chooseMethod(given, surroundings)).toBe(method)
  })

  it.each([
    ['mongodump', { ...nothing, hasMongodump: true }, 'mongodump --oplog needs a replica set.'],
    [
      undefined,
      { ...replicaSet, hasMongodump: false },
      'mongodump is not on PATH. Install the MongoDB Database Tools, or use --method dump, which pauses writes.',
    ],
  ] as const)('%s is refused where it is not available', (given, surroundings, message) => {
    expect(() => chooseMethod(given, surroundings)).toThrow(message)
  })
})
