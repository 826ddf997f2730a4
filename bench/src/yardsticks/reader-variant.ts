import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { readText } from '@partsbus/price-file/read-text'
import { readXlsx } from '@partsbus/price-file/xlsx/read-xlsx'
import { parse } from 'csv-parse'
import exceljs from 'exceljs'
import type { VariantName, VariantResult } from './run-variant.js'

/*
 * Reads one file with one reader, in a process of its own to measure its peak memory. All readers are loaded before the
 * clock starts. Prints a VariantResult.
 */

const variants: Record<VariantName, (path: string) => Promise<number>> = {
  async 'price-file'(path) {
    let rows = 0
    for await (const block of (await readText(path)).blocks) rows += block.rows.length
    return rows
  },

  'decode-utf-8': (path) => {
    const decoder = new StringDecoder('utf8')
    return countLines(path, (piece) => decoder.write(piece))
  },

  'decode-windows-1251': (path) => {
    const decoder = new TextDecoder('windows-1251')
    return countLines(path, (piece) => decoder.decode(piece, { stream: true }))
  },

  'csv-parse': (path) =>
    new Promise((done, fail) => {
      let rows = 0
      const parser = parse({ delimiter: ';' })
      parser
        .on('data', () => {
          rows += 1
        })
        .on('end', () => done(rows))
        .on('error', fail)
      createReadStream(path).on('error', fail).pipe(parser)
    }),

  async 'price-file-xlsx'(path) {
    let rows = 0
    for await (const block of (await readXlsx(path)).blocks) rows += block.rows.length
    return rows
  },

  async exceljs(path) {
    let rows = 0
    const workbook = new exceljs.stream.xlsx.WorkbookReader(path, {
      worksheets: 'emit',
      sharedStrings: 'cache',
      styles: 'cache',
      hyperlinks: 'ignore',
      entries: 'emit',
    })
    for await (const sheet of workbook) for await (const row of sheet) if (row.hasValues) rows += 1
    return rows
  },
}

async function countLines(path: string, decode: (piece: Buffer) => string): Promise<number> {
  let rows = 0
  let rest = ''
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines = (rest + decode(piece)).split('\n')
    rest = lines.pop() ?? ''
    rows += lines.length
  }
  return rows
}

const [name = '', path = ''] = process.argv.slice(2)
const start = performance.now()
const rows = await variants[name as VariantName](path)
const result: VariantResult = { rows, ms: performance.now() - start, rssMb: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(JSON.stringify(result))
