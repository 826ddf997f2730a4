import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { GroupSteps } from './group-steps.js'
import type { Figure } from '../figures/measure.js'

const figures: Figure[] = [{ what: 'a', value: 1, unit: '×', goal: '≥ 1', reached: true, detail: '' }]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'group-steps-'))
  jest.spyOn(console, 'log').mockReturnValue()
  jest.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const open = (): GroupSteps => new GroupSteps('imports', join(folder, 'below', 'imports.json'), 'abc123')

describe('a group whose steps are stored', () => {
  it('does not measure a stored step again', async () => {
    await open().figures('speed', () => Promise.resolve(figures))
    const again = open()
    expect(await again.figures('speed', () => Promise.reject(new Error('measured again')))).toEqual(figures)
    expect(again.failures).toEqual([])
  })

  it('measures a step again when it was forgotten', async () => {
    await open().figures('speed', () => Promise.resolve(figures))
    open().forget()
    expect(await open().figures('speed', () => Promise.resolve([]))).toEqual([])
  })

  it('goes on after a step that failed, and measures it in the next run', async () => {
    const steps = open()
    expect(await steps.figures('speed', () => Promise.reject(new Error('no database')))).toEqual([])
    expect(await steps.figures('uploads', () => Promise.resolve(figures))).toEqual(figures)
    expect(steps.failures).toEqual(['imports, speed: Error: no database'])
    expect(await open().figures('speed', () => Promise.resolve(figures))).toEqual(figures)
  })
})

it('stores nothing without a file', async () => {
  await new GroupSteps('imports').figures('speed', () => Promise.resolve(figures))
  expect(await new GroupSteps('imports').figures('speed', () => Promise.resolve([]))).toEqual([])
})
