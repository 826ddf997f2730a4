import { constants, openAsBlob } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AdminClient } from '@partsbus/client/admin-client'
import type { AdminImportTask, SkippedRow } from '@partsbus/contracts/admin'
import { type Command, integerOption } from '../command.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import { openAdmin } from '../open-clients.js'
import { countOf } from '../terminal/count-of.js'
import { drawTable } from '../terminal/draw-table.js'

/** Skipped rows that are printed; all of them are in the CSV of the task. */
const SHOWN_ROWS = 20

export const importFile: Command = {
  usage: 'FILE --list N [--follow]',
  summary: 'Uploads a price list; with --follow waits for the import and prints why rows were skipped.',
  options: { list: { type: 'string' }, follow: { type: 'boolean' } },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const admin = openAdmin(env)
    const id = integerOption(line, 'list', true)
    const upload = { params: { id }, ...(await openFile(line.positionals[0] ?? '')) }
    if (line.options.follow !== true) {
      const { task_id } = await admin.upload('POST /price-lists/:id/upload', upload)
      terminal.print(line.isJson ? JSON.stringify({ task_id }) : String(task_id))
      return exitCodes.ok
    }
    const onTask = (task: AdminImportTask): void => terminal.progress(task.processed_rows, task.total_rows, 'rows')
    const task = await admin.uploadAndWait('POST /price-lists/:id/upload', { ...upload, onTask })
    terminal.endProgress()
    const skipped = task.skipped_rows === 0 ? [] : await readSkippedRows(admin, task.id)
    if (line.isJson) terminal.print(JSON.stringify({ ...task, skipped }))
    else for (const text of describeImport(task, skipped)) terminal.print(text)
    return task.status === 'completed' ? exitCodes.ok : exitCodes.failed
  },
}

export const previewFile: Command = {
  usage: 'FILE --list N',
  summary: 'Reads a file as an import into the list would, and changes nothing.',
  options: { list: { type: 'string' } },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const preview = await openAdmin(env).upload('POST /price-lists/:id/preview', {
      params: { id: integerOption(line, 'list', true) },
      ...(await openFile(line.positionals[0] ?? '')),
    })
    if (line.isJson) {
      terminal.print(JSON.stringify(preview))
      return exitCodes.ok
    }
    const { totals, columns, rows, rejected, skipped_by_code } = preview
    const header = ['row', 'brand', 'article', 'name', 'quantity', 'price', 'days']
    const cells = rows.map((offer) => [
      offer.row,
      offer.brand,
      offer.article,
      offer.name,
      offer.quantity,
      offer.price,
      offer.delivery_days,
    ])
    for (const text of drawTable(header, cells)) terminal.print(text)
    terminal.print(`columns: ${JSON.stringify(columns)}`)
    terminal.print(`${countOf(totals.rows, 'row')}, ${totals.importable} importable, ${totals.skipped} skipped`)
    for (const text of describeSkipped(rejected, skipped_by_code)) terminal.print(text)
    return exitCodes.ok
  },
}

/** A file for an upload, which is read while it is sent. @throws UsageError when it cannot be read */
async function openFile(path: string): Promise<{ file: Blob; fileName: string }> {
  try {
    // names the reason, which openAsBlob does not
    await access(path, constants.R_OK)
    return { file: await openAsBlob(path), fileName: basename(path) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be read (${code ?? message}).`)
  }
}

async function readSkippedRows(admin: AdminClient, id: number): Promise<SkippedRow[]> {
  const { data } = await admin('GET /import-tasks/:id/skipped', { params: { id }, query: { per_page: SHOWN_ROWS } })
  return data
}

function describeImport(task: AdminImportTask, skipped: readonly SkippedRow[]): string[] {
  const { id, status, imported_rows, skipped_rows, superseded, error_message } = task
  return [
    `import ${id} ${status}: ${imported_rows} imported, ${skipped_rows} skipped`,
    ...(error_message === null ? [] : [error_message]),
    ...(superseded ? ['A newer upload of the list replaced it.'] : []),
    ...describeSkipped(skipped, task.skipped_by_code),
    ...(skipped_rows > skipped.length ? [`… and ${skipped_rows - skipped.length} more rows`] : []),
  ]
}

function describeSkipped(rows: readonly SkippedRow[], byCode: Record<string, number> | undefined): string[] {
  const counts = Object.entries(byCode ?? {}).map(([code, count]) => `${code} ${count}`)
  return [
    ...(counts.length > 0 ? [`skipped: ${counts.join(', ')}`] : []),
    ...rows.slice(0, SHOWN_ROWS).map(({ row, message, cells }) => `  row ${row}: ${message}  ${cells.join(' | ')}`),
  ]
}
