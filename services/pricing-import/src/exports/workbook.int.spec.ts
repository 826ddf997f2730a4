import { describe, expect, it } from '@jest/globals'
import exceljs from 'exceljs'
import type { Cell } from './csv.js'
import { writeWorkbook } from './workbook.js'

const options = { sheet: 'Offers', isFirstRowFrozen: true }

async function* batches(...given: Cell[][][]): AsyncGenerator<Cell[][]> {
  yield* given
}

async function write(rows: AsyncGenerator<Cell[][]>): Promise<exceljs.Workbook> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeWorkbook(rows, options)) chunks.push(chunk)
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.load(Buffer.concat(chunks) as never)
  return workbook
}

describe('a workbook (admin.md#offer-files)', () => {
  it('has every row of every batch, with the first one kept in sight', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at): Cell[] => [`A${at}`, at])
    const { worksheets } = await write(batches([['article', 'row']], rows.slice(0, 1_000), rows.slice(1_000)))
    expect(worksheets.map(({ name, views }) => [name, views[0]])).toMatchObject([
      ['Offers', { state: 'frozen', ySplit: 1 }],
    ])
    const read: unknown[] = []
    worksheets[0]?.eachRow(({ values }) => read.push((values as Cell[]).slice(1)))
    expect(read).toEqual([['article', 'row'], ...rows])
  })

  it.each(['=1+1', "=cmd|' /C calc'!A0", '+SUM(A1)', '@x', '-2+3', '0001234', '1e5', '1234567890123456789', 'TRUE'])(
    '%j stays text',
    async (text) => {
      const cell = (await write(batches([[text]]))).worksheets[0]?.getCell('A1')
      expect([cell?.type, cell?.value, cell?.formula]).toEqual([exceljs.ValueType.String, text, undefined])
    },
  )

  it('has numbers as numbers, and no cell for an absent value', async () => {
    const sheet = (await write(batches([[1234.5, null, '', 0]]))).worksheets[0]
    expect(['A1', 'B1', 'C1', 'D1'].map((address) => sheet?.getCell(address).value)).toEqual([1234.5, null, null, 0])
  })

  it('escapes what XML and spreadsheets would read as something else', async () => {
    const text = '<b>&"\' a_x0041_b'
    const value = (await write(batches([[text]]))).worksheets[0]?.getCell('A1').value
    expect(value).toBe('<b>&"\' a_x005F_x0041_b')
  })

  it('has none of the characters that it cannot have', async () => {
    const text = 'a\u0001b\uFFFEc\uFFFF\uD800d 😀'
    expect((await write(batches([[text]]))).worksheets[0]?.getCell('A1').value).toBe('abcd 😀')
  })

  it('without rows can be opened', async () => {
    expect((await write(batches())).worksheets[0]?.rowCount).toBe(0)
  })

  it('is written as fast as it is read', async () => {
    let count = 0
    const rows = async function* (): AsyncGenerator<Cell[][]> {
      for (;;) {
        count += 1
        yield Array.from({ length: 1_000 }, (_, at): Cell[] => [`${count}-${at}`, Math.random()])
      }
    }
    const bytes = writeWorkbook(rows(), options)
    let length = 0
    while (length < 100_000) length += ((await bytes.next()).value as Uint8Array).length
    // 100 KB are about 5 batches
    expect(count).toBeLessThan(60)
    await bytes.return(undefined)
  })

  it('fails with the error of its rows', async () => {
    const rows = async function* (): AsyncGenerator<Cell[][]> {
      yield [['a']]
      throw new Error('the version is gone')
    }
    await expect(write(rows())).rejects.toThrow('the version is gone')
  })
})
