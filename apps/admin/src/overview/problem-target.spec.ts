import { expect, it } from '@jest/globals'
import { overview as english } from '../texts/en/overview.js'
import type { Problem } from './overview-answer.js'
import { problemTarget, wordProblem } from './problem-target.js'

const problem = (code: string, params: Record<string, unknown> = {}, count = 1): Problem => ({
  code,
  severity: 'error',
  since: null,
  params,
  count,
})

it('leads from a failed import to the import', () => {
  expect(problemTarget(problem('import-failed', { task_id: 4711 }))).toEqual({
    path: '/imports/$id',
    params: { id: 4711 },
  })
})

it('words what an API lacks', () => {
  const words = wordProblem(problem('erp-not-ready', { missing: ['storage', 'token'] }), english.problem)
  expect(words).toBe('The ERP API is on but not ready: storage, token missing')
})

it('names the kind of a source that fails', () => {
  const failing = problem('source-failing', { price_list_name: 'North', kind: 'url' })
  expect(wordProblem(failing, english.problem)).toBe('Web address of “North”: the source fails')
})

it('counts the pictures that could not be fetched', () => {
  expect(wordProblem(problem('pictures-failing', {}, 17), english.problem)).toBe('17 pictures could not be fetched')
})

it('names the first of the price lists that no search finds', () => {
  const lists = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: at, name: `List ${at + 1}`, storage_id: 5 }))
  const word = (count: number) =>
    wordProblem(problem('not-in-search', { price_lists: lists(count) }, count), english.problem)
  expect(word(1)).toBe('1 live price list is not in the search: List 1')
  expect(word(4)).toBe('4 live price lists are not in the search: List 1, List 2, List 3 …')
})

it('shows a code that it does not know as it is, without a link', () => {
  expect(wordProblem(problem('moon-full'), english.problem)).toBe('moon-full')
  expect(problemTarget(problem('moon-full'))).toBeUndefined()
})
