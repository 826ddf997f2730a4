import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { type Figure, toFigure } from './measure.js'
import { listResults, mergeFigures, readResults, render, replaceMarked } from './results.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

const page = `before
<!-- imports: written by npm run bench -->
old
<!-- end of imports -->
after`

describe('replaceMarked', () => {
  it('replaces what is between the marks and nothing else', () => {
    expect(replaceMarked(page, 'imports', 'new')).toBe(page.replace('old', 'new'))
  })

  it('throws when the page has no such marks', () => {
    expect(() => replaceMarked(page, 'search', 'new')).toThrow('no place for the figures of search')
  })
})

describe('mergeFigures', () => {
  const figure = (what: string, value: number): Figure => ({
    what,
    value,
    unit: '×',
    goal: '≥ 1',
    reached: true,
    detail: '',
  })

  it('replaces figures of the same name in place, adds new ones and leaves the others', () => {
    const before = [figure('a', 1), figure('b', 2)]
    expect(mergeFigures(before, [figure('c', 5), figure('a', 4)])).toEqual([
      figure('a', 4),
      figure('b', 2),
      figure('c', 5),
    ])
  })
})

it('renders notes, figures and tables', () => {
  const reached = { what: 'a', value: 0.9, unit: '×', goal: '≥ 0.8', reached: true, detail: 'd' }
  const tables = [{ head: 'Disk', columns: ['One', 'Bytes'], rows: [['offer', '425']] }]
  expect(render({ page: 'x.md', how: 'here', notes: ['n'], figures: [reached], tables })).toBe(
    [
      'here\n\n- n\n\n| What | Measured | Goal | Reached | Details |\n|---|---|---|---|---|',
      '| a | 0.9 × | ≥ 0.8 | yes | d |\n\n### Disk\n\n| One | Bytes |\n|---|---|\n| offer | 425 |',
    ].join('\n'),
  )
})

it.each(listResults(root))('the page shows the stored results of %s', (name) => {
  const results = readResults(root, name)
  if (results === undefined) throw new Error(`${name} is not stored`)
  const text = readFileSync(join(root, 'docs', 'measurements', results.page), 'utf8')
  expect(replaceMarked(text, name, render(results))).toBe(text)
})

describe('toFigure', () => {
  it.each([
    [{ least: 0.9 }, 0.896, '≥ 0.9', false, 0.9],
    [{ least: 0.9 }, 0.9, '≥ 0.9', true, 0.9],
    [{ most: 60, digits: 0 }, 60.4, '≤ 60', false, 60],
    [{ most: 60, digits: 0 }, 59.6, '≤ 60', true, 60],
  ])('%j: %f', (goal, value, text, reached, shown) => {
    expect(toFigure({ what: 'a', value, unit: 'ms', detail: '', ...goal })).toEqual({
      what: 'a',
      value: shown,
      unit: 'ms',
      goal: text,
      reached,
      detail: '',
    })
  })
})
