import { describe, expect, it } from '@jest/globals'
import { drawProgress } from './draw-progress.js'
import { drawTable } from './draw-table.js'
import { openTerminal } from './terminal.js'

describe('drawProgress', () => {
  it.each([
    [{ done: 0, total: 10, unit: 'rows' }, 40, '[------------------]   0 %  0 / 10 rows'],
    [{ done: 5, total: 10, unit: 'rows' }, 40, '[#########---------]  50 %  5 / 10 rows'],
    [{ done: 12, total: 10, unit: 'rows' }, 40, '[#################] 100 %  12 / 10 rows'],
    [{ done: 5, total: 10, unit: 'rows' }, 20, '50 %  5 / 10 rows'],
    [{ done: 5, total: 0, unit: 'rows' }, 40, '5 rows'],
  ])('draws %j in %i columns', (progress, columns, text) => {
    expect(drawProgress(progress, columns)).toBe(text)
  })
})

it('drawTable pads all columns but the last', () => {
  expect(
    drawTable(
      ['id', 'name'],
      [
        [1, 'Фильтр'],
        [200, null],
      ],
    ),
  ).toEqual(['id   name', '1    Фильтр', '200  –'])
})

describe('openTerminal', () => {
  const open = (isTTY: boolean) => {
    const written: string[] = []
    const stream = { isTTY, columns: 40, write: (text: string) => written.push(text) > 0 }
    let now = 0
    return { terminal: openTerminal(stream, stream, () => now), written, wait: (ms: number) => (now += ms) }
  }

  it('draws a bar at most every 100 ms, and removes it before a line', () => {
    const { terminal, written, wait } = open(true)
    terminal.progress(1, 2, 'rows')
    terminal.progress(2, 2, 'rows')
    wait(100)
    terminal.progress(2, 2, 'rows')
    terminal.print('done')
    expect(written.map((text) => text.replaceAll('\r\u001B[K', '<'))).toEqual([
      expect.stringMatching(/^<\[.* 50 %/),
      expect.stringMatching(/^<\[.* 100 %/),
      '<',
      'done\n',
    ])
  })

  it('draws nothing where nobody watches', () => {
    const { terminal, written } = open(false)
    terminal.progress(1, 2, 'rows')
    terminal.endProgress()
    expect(written).toEqual([])
  })
})
