import { describe, expect, it } from '@jest/globals'
import { AnswerError } from './answer-error.js'
import { type RepeatedAfter, type RetryOptions, withRetries } from './retry.js'

const answer = (status: number, retryAfter?: string): AnswerError =>
  new AnswerError(status, {}, new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }))
const noAnswer = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
const wrongAddress = new TypeError('Invalid URL', { cause: Object.assign(new Error(), { code: 'ERR_INVALID_URL' }) })

/** A call that fails each time. @returns how often it was made, and the pauses */
async function fail(error: unknown, repeatedAfter: RepeatedAfter, options: RetryOptions | false = { attempts: 2 }) {
  const pauses: number[] = []
  let calls = 0
  const send = (): Promise<never> => {
    calls += 1
    return Promise.reject(error)
  }
  const onRetry = (_: unknown, pauseMs: number) => pauses.push(pauseMs)
  await expect(withRetries(send, repeatedAfter, options && { ...options, onRetry })).rejects.toBe(error)
  return { calls, pauses }
}

describe('a call is repeated', () => {
  it.each<[string, unknown, RepeatedAfter[]]>([
    ['429', answer(429, '0'), ['limit', 'refusal', 'any-failure']],
    ['503 with a time', answer(503, '0'), ['refusal', 'any-failure']],
    ['503 of an API that is off', answer(503), []],
    ['502', answer(502, '0'), ['any-failure']],
    ['504', answer(504, '0'), ['any-failure']],
    ['500', answer(500, '0'), []],
    ['422', answer(422, '0'), []],
    ['an address that is none', wrongAddress, []],
    ['another error', new Error('defect'), []],
  ])('after %s', async (_, error, repeated) => {
    for (const after of ['limit', 'refusal', 'any-failure'] as const)
      expect([after, (await fail(error, after)).calls]).toEqual([after, repeated.includes(after) ? 2 : 1])
  })

  it('without an answer only where it may be carried out twice', async () => {
    expect((await fail(noAnswer, 'refusal')).calls).toBe(1)
    const { calls, pauses } = await fail(noAnswer, 'any-failure')
    expect(calls).toBe(2)
    expect(pauses[0]).toBeGreaterThanOrEqual(500)
    expect(pauses[0]).toBeLessThan(1_000)
  })

  it('at most as often, and for as long, as its options say', async () => {
    expect((await fail(answer(429, '0'), 'limit', { attempts: 4 })).calls).toBe(4)
    expect((await fail(answer(429, '0'), 'limit', {})).calls).toBe(5)
    expect((await fail(answer(429, '61'), 'limit', {})).calls).toBe(1)
    expect((await fail(answer(429, '0'), 'limit', false)).calls).toBe(1)
  })

  it('until it succeeds', async () => {
    let calls = 0
    const send = () => ((calls += 1) < 3 ? Promise.reject(answer(429, '0')) : Promise.resolve('done'))
    expect(await withRetries(send, 'limit')).toBe('done')
    expect(calls).toBe(3)
  })
})

it('ends the pause when its signal is aborted', async () => {
  const aborted = new AbortController()
  const onRetry = () => queueMicrotask(() => aborted.abort(new Error('enough')))
  const call = withRetries(() => Promise.reject(answer(429, '30')), 'limit', { onRetry }, aborted.signal)
  await expect(call).rejects.toThrow('enough')
})
