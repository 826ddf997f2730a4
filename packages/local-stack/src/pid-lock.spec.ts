import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { acquirePidLock } from './pid-lock.ts'

describe('acquirePidLock', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('has one owner, and is free again after its release', () => {
    const path = join(folder, 'lock')
    const lock = acquirePidLock(path)
    expect(acquirePidLock(path)).toEqual({ heldBy: process.pid })
    if ('release' in lock) lock.release()
    expect(acquirePidLock(path)).toHaveProperty('release')
  })

  it.each([
    ['of a process that no longer runs', '999999999 12\n'],
    ['whose pid was reused by another process', `${process.pid} 1\n`],
    ['without content', ''],
  ])('replaces a lock %s', (_, text) => {
    const path = join(folder, 'lock')
    writeFileSync(path, text)
    expect(acquirePidLock(path)).toHaveProperty('release')
  })
})
