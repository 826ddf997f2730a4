import { type BsonWriter, fieldName } from '@partsbus/platform/mongo/raw-insert/bson-writer'
import { keptCells, type LeftOutRow, skippedRowId } from '../import-tasks/skipped-row.js'

const id = fieldName('_id')
const rowName = fieldName('row')
const codeName = fieldName('code')
const byName = fieldName('by')
const cellsName = fieldName('cells')
const places = Array.from({ length: 300 }, (_, index) => fieldName(String(index)))

/** Writes a row that was left out as the collection has it (see skipped-row-store.ts). */
export function writeSkippedRow(to: BsonWriter, taskId: number, { row, code, cells, by }: LeftOutRow): void {
  const begun = to.begin()
  to.number(id, skippedRowId(taskId, row))
  to.number(rowName, row)
  to.string(codeName, code)
  if (by !== undefined) to.number(byName, by)
  const array = to.beginArray(cellsName)
  keptCells(cells).forEach((cell, index) => to.string(places[index] ?? fieldName(String(index)), cell))
  to.end(array)
  to.end(begun)
}
