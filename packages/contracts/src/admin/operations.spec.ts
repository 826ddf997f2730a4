import { expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { adminOperations } from './operations.js'
import type { Operation } from './operation.js'
import { type AdminPath, adminPaths } from './paths.js'

const rows = Object.entries(adminOperations) as Array<[AdminPath, Operation]>

it('the table and the list of paths have the same calls', () => {
  expect(Object.keys(adminOperations).toSorted()).toEqual(adminPaths.toSorted())
})

it.each(rows)('%s answers JSON, a file, a stream, or 204', (_path, { status, answer, media }) => {
  expect([status === 204, answer !== undefined, media !== undefined].filter(Boolean)).toHaveLength(1)
})

it('the list of paths has no import and is at most 2 KB for a browser', () => {
  const text = readFileSync(new URL('paths.ts', import.meta.url))
  expect(text.toString()).not.toMatch(/^import /m)
  expect(gzipSync(text).byteLength).toBeLessThanOrEqual(2_048)
})
