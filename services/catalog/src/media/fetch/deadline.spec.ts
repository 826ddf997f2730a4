import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { defaultTimes } from '../config.js'
import { Deadline } from './deadline.js'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

it('a download has 10 s, without those in which it waited for this process (rules.md#images-limits)', () => {
  const deadline = new Deadline(defaultTimes.deadlineMs, new AbortController().signal)
  jest.advanceTimersByTime(4_000)
  deadline.pause()
  jest.advanceTimersByTime(60_000)
  deadline.resume()
  jest.advanceTimersByTime(5_999)
  expect([deadline.passed, deadline.signal.aborted]).toEqual([false, false])
  jest.advanceTimersByTime(1)
  expect([deadline.passed, deadline.signal.aborted]).toEqual([true, true])
})
