import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, jest } from '@jest/globals'
import { echoWarnings, loudLine } from './echo-warnings.mjs'
import { withoutPassword } from './summary.mjs'

describe('what the console shows of a service’s log', () => {
  it.each([
    ['a warning', '{"level":"warn","msg":"slow disk"}', ['catalog warn: slow disk']],
    [
      'an error with its reason',
      '{"level":"error","msg":"no answer","err":{"message":"refused"}}',
      ['catalog error: no answer (refused)'],
    ],
    ['nothing of what is only information', '{"level":"info","msg":"ready"}', []],
    [
      'a line that is no JSON, such as the reason a process gives when it cannot start',
      'catalog could not start',
      ['catalog: catalog could not start'],
    ],
    ['no empty line', '  ', []],
  ])('%s', (_, line, shown) => {
    expect(loudLine('catalog', line)).toEqual(shown)
  })

  it('is what was written since it looks, in whole lines, and not a flood', () => {
    jest.useFakeTimers()
    const folder = mkdtempSync(join(tmpdir(), 'partsbus-log-'))
    const logFile = join(folder, 'catalog.log')
    writeFileSync(logFile, '{"level":"error","msg":"of an earlier run"}\n')
    const shown: string[] = []
    const end = echoWarnings([{ name: 'catalog', logFile }], (line: string) => void shown.push(line))
    appendFileSync(logFile, '{"level":"warn","msg":"first"}\n{"level":"warn","ms')
    jest.advanceTimersByTime(1_000)
    appendFileSync(logFile, 'g":"second"}\n')
    jest.advanceTimersByTime(1_000)
    expect(shown).toEqual(['catalog warn: first', 'catalog warn: second'])
    appendFileSync(logFile, '{"level":"warn","msg":"again"}\n'.repeat(25))
    jest.advanceTimersByTime(1_000)
    expect(shown).toHaveLength(13)
    expect(shown.at(-1)).toContain('15 more')
    end()
    jest.useRealTimers()
    rmSync(folder, { recursive: true })
  })
})

it('drops the rest of a line whose beginning was written before it looked, and reads a log that was begun anew', () => {
  jest.useFakeTimers()
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-log-'))
  const logFile = join(folder, 'catalog.log')
  writeFileSync(logFile, '{"level":"warn","msg":"old"}\n{"level":"warn","msg":"cut')
  const shown: string[] = []
  const end = echoWarnings([{ name: 'catalog', logFile }], (line: string) => void shown.push(line))
  appendFileSync(logFile, ' off"}\n{"level":"warn","msg":"whole"}\n')
  jest.advanceTimersByTime(1_000)
  expect(shown).toEqual(['catalog warn: whole'])
  writeFileSync(logFile, '{"level":"warn","msg":"anew"}\n')
  jest.advanceTimersByTime(1_000)
  expect(shown).toEqual(['catalog warn: whole', 'catalog warn: anew'])
  end()
  jest.useRealTimers()
  rmSync(folder, { recursive: true })
})

it('a password in a given URL is not printed', () => {
  expect(withoutPassword('mongodb://shop:s3cret@a:1,b:2/?x=y')).toBe('mongodb://shop:***@a:1,b:2/?x=y')
  expect(withoutPassword('nats://shop:s3cret@a:1,nats://shop:s3cret@b:2')).toBe(
    'nats://shop:***@a:1,nats://shop:***@b:2',
  )
})
