import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { takePidLock } from './pid-lock.js'

describe('a lock that names its process', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is held by one, and free again once released', () => {
    const path = join(folder, 'lock')
    const lock = takePidLock(path)
    expect(takePidLock(path)).toEqual({ heldBy: process.pid })
    if ('release' in lock) lock.release()
    expect(takePidLock(path)).toHaveProperty('release')
  })

  it.each([
    ['of a process that is gone', '999999999 12\n'],
    ['whose pid belongs to another process by now', `${process.pid} 1\n`],
    ['that was cut short', ''],
  ])('a lock %s is taken over', (_, text) => {
    const path = join(folder, 'lock')
    writeFileSync(path, text)
    expect(takePidLock(path)).toHaveProperty('release')
  })
})
