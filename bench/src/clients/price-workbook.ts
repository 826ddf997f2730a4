import exceljs from 'exceljs'
import { priceHeadings, priceRow } from './price-rows.js'

/** Writes a generated list as a workbook with shared strings. */
export async function writeWorkbook(path: string, rows: number): Promise<void> {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings: true })
  const sheet = workbook.addWorksheet('Price')
  sheet.addRow([...priceHeadings]).commit()
  for (let n = 0; n < rows; n += 1) {
    const { brand, article, name, quantity, price, days } = priceRow(n)
    sheet.addRow([brand, article, name, quantity, price, days]).commit()
    // otherwise its stream would buffer the whole file
    if (n % 5_000 === 0)
      await new Promise((next) => {
        setImmediate(next)
      })
  }
  await workbook.commit()
}
