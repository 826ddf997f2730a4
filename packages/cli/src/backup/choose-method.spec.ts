import { describe, expect, it } from '@jest/globals'
import { chooseMethod } from './choose-method.js'

const nothing = { hasOwnPostgres: false, replicaSet: undefined, hasMongodump: false }
const replicaSet = { ...nothing, replicaSet: 'rs0', hasMongodump: true }
const local = { ...nothing, hasOwnPostgres: true }

describe('the method of a backup', () => {
  it.each([
    ['npm start on PostgreSQL', undefined, local, 'basebackup'],
    ['a replica set', undefined, replicaSet, 'mongodump'],
    ['a single server', undefined, { ...nothing, hasMongodump: true }, 'dump'],
    ['a pause that was asked for', 'dump', replicaSet, 'dump'],
    ['a pause of npm start', 'dump', local, 'dump'],
  ] as const)('%s', (_case, given, surroundings, method) => {
    expect(chooseMethod(given, surroundings)).toBe(method)
  })

  it.each([
    ['basebackup', replicaSet, 'basebackup copies the PostgreSQL of npm start, which does not run here.'],
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
