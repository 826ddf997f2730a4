import { expect, it } from '@jest/globals'
import { AnswerError } from '@partsbus/client/answer-error'
import { pollImportEvery } from './poll-import.js'

const answered = (status: number) => new AnswerError(status, {}, new Headers())

it('reads an import until it has ended or is no longer kept', () => {
  expect(pollImportEvery(undefined)).toBe(3_000)
  expect(pollImportEvery({ data: { status: 'processing' }, error: null })).toBe(3_000)
  expect(pollImportEvery({ data: { status: 'failed' }, error: null })).toBe(false)
  expect(pollImportEvery({ error: answered(503) })).toBe(3_000)
  expect(pollImportEvery({ error: answered(404) })).toBe(false)
  expect(pollImportEvery({ data: { status: 'processing' }, error: answered(404) })).toBe(false)
})
