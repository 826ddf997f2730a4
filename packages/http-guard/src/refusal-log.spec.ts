import { expect, it, jest } from '@jest/globals'
import { REFUSAL_LINES, RefusalLog } from './refusal-log.js'

it('writes a bounded number of lines for each address and for all, and then their number (rules.md#overload)', () => {
  jest.useFakeTimers()
  const info = jest.fn()
  const log = new RefusalLog({ info: info as never })
  const admitted = (address: string, count: number, now: number): number =>
    Array.from({ length: count }, () => log.admits(address, now)).filter(Boolean).length
  expect(admitted('192.0.2.1', 17_000, 0)).toBe(REFUSAL_LINES.ofOne)
  expect(admitted('192.0.2.2', 1, 0)).toBe(1)
  let all = 0
  for (let at = 0; at < 250; at += 1) all += admitted(`198.51.100.${at}`, 20, 1)
  expect(all).toBe(REFUSAL_LINES.aMinute - REFUSAL_LINES.ofOne - 1)
  expect(admitted('192.0.2.1', 1, 60_000)).toBe(1)
  jest.advanceTimersByTime(60_000)
  expect(info.mock.calls).toEqual([[{ requests: 17_000 - 20 + 5_000 - all }, 'refused requests not logged']])
  jest.useRealTimers()
})
