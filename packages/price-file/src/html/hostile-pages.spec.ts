import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { cpuMs } from '@partsbus/test-kit/durations'
import type { PriceFileError } from '../price-file-error.js'
import { readHtml } from './read-html.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-html-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MS = 5_000
const MILLION = 1_000_000
const MANY = 200_000
const HEAD = '<table><tr><td>a<td>b<tr><td>c'

/** The number of rows, or the problem. */
async function outcome(page: string): Promise<string | number> {
  const path = join(folder, 'page.xls')
  writeFileSync(path, page)
  try {
    let rows = 0
    for await (const block of (await readHtml(path)).blocks) rows += block.rows.length
    return rows
  } catch (error) {
    return (error as PriceFileError).problem
  }
}

// rules.md#html-tables
describe('a page is read in a time that its length determines if it has', () => {
  it.each<[string, string, string | number]>([
    ['a million elements that are not closed', HEAD + '<b>'.repeat(MILLION), 2],
    ['a million different end tags', HEAD + '<b></i>'.repeat(MILLION), 2],
    ['a million tables in tables', HEAD + '<table>'.repeat(MILLION), 2],
    ['a million tables, each in a cell', '<table><tr><td>'.repeat(MILLION) + 'a<td>b', 'WEB_PAGE'],
    [
      'a million tables in a cell with much blank text',
      `<table><tr><td>${'\u00a0'.repeat(999_000)}${'<table></table>'.repeat(MILLION)}`,
      'WEB_PAGE',
    ],
    ['many tables, each after text of a cell', `${HEAD}${'x<table></table>'.repeat(450_000)}`, 2],
    ['many forms', HEAD + '<form>'.repeat(MANY), 2],
    [
      'many attributes of one tag',
      `${HEAD}<td ${'a'.repeat(9)}${Array.from({ length: MANY }, (_, at) => ` a${at}=1`).join('')}>`,
      2,
    ],
    ['a cell of 50 MB', `${HEAD}${'x'.repeat(50 * MILLION)}</table>`, 'ROW_TOO_LONG'],
    ['20 MB of white space in a cell', `${HEAD}${' '.repeat(20 * MILLION)}</table>`, 2],
    ['many entities in a cell', HEAD + '&amp;'.repeat(MANY), 2],
    ['entities that are not closed', HEAD + '&am'.repeat(MANY), 2],
    ['an entity of 10 MB', `${HEAD}&#${'0'.repeat(10 * MILLION)}65;`, 2],
    ['a name of 10 MB', `${HEAD}<${'x'.repeat(10 * MILLION)}>`, 2],
    ['an attribute of 10 MB', `${HEAD}<td colspan="${'1'.repeat(10 * MILLION)}">d`, 2],
    ['a comment of 10 MB', `${HEAD}<!--${'-'.repeat(10 * MILLION)}`, 2],
    ['comments that are not closed', HEAD + '<!-- <!'.repeat(MILLION), 2],
    ['cells over a million columns', HEAD + '<tr><td colspan=1000000>d<td>e'.repeat(100_000), 100_002],
    ['cells over a million rows', HEAD + '<tr><td rowspan=1000000 colspan=999>d<td>e'.repeat(100_000), 100_002],
    [
      'rows below cells over all rows',
      `${HEAD}<tr>${'<td rowspan=0>d'.repeat(250)}${'<tr><td>e'.repeat(MILLION)}`,
      MILLION + 3,
    ],
    ['many cells in a row', HEAD + '<td>1'.repeat(MANY), 2],
    ['scripts that are not closed', HEAD + '<script></scrip'.repeat(MILLION), 2],
    ['many line breaks', HEAD + 'x<br>'.repeat(MANY), 2],
  ])('%s', async (_what, page, expected) => {
    let found: string | number = ''
    const ms = await cpuMs(async () => {
      found = await outcome(page)
    })
    expect(found).toBe(expected)
    expect(ms).toBeLessThan(MS)
  })
})
