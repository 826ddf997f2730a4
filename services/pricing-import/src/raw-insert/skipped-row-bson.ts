import { type BsonWriter, fieldName } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import type { SkipCode } from '../rows/skip-code.js'
import { keptCells, skippedRowId } from '../import-tasks/skipped-row.js'

const id = fieldName('_id')
const rowName = fieldName('row')
const codeName = fieldName('code')
const cellsName = fieldName('cells')
const places = Array.from({ length: 300 }, (_, index) => fieldName(String(index)))

/** Writes a row that was left out as the collection has it (see skipped-row-store.ts). */
export function writeSkippedRow(to: BsonWriter, taskId: number, row: number, code: SkipCode, cells: string[]): void {
  const begun = to.begin()
  to.number(id, skippedRowId(taskId, row))
  to.number(rowName, row)
  to.string(codeName, code)
  const array = to.beginArray(cellsName)
  keptCells(cells).forEach((cell, index) => to.string(places[index] ?? fieldName(String(index)), cell))
  to.end(array)
  to.end(begun)
}
