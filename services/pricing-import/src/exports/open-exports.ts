import { randomUUID } from 'node:crypto'
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { WORKBOOK_TYPE } from '@partsbus/contracts/http/row'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { exportFormats, exportOffers } from '@partsbus/contracts/pricing-import/commands'
import { Semaphore } from '@partsbus/platform/async/semaphore'
import { BusServer } from '@partsbus/platform/bus/server'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { type Cell, type CsvStyle, writeCsv } from './csv.js'
import { inChunks } from './in-chunks.js'
import { writeWorkbook } from './workbook.js'

type Format = (typeof exportFormats)[number]

/** Rows to write. */
export interface Table {
  /** without its ending */
  fileName: string
  /** batches of rows, which are read as the file is */
  rows: AsyncGenerator<Cell[][]>
  /** of a CSV */
  style?: CsvStyle
  /** name of the sheet of a workbook */
  sheet: string
  /** whether the first row names the columns */
  hasHeading: boolean
}

interface OpenExport {
  chunks: AsyncGenerator<Uint8Array>
  /** the chunk after the last one that was asked for */
  ahead?: ReturnType<AsyncGenerator<Uint8Array>['next']>
  /** gives its place to the next one */
  release: () => void
  idle?: NodeJS.Timeout
}

const CSV_AT_ONCE = 16
/** Each has a thread. */
export const WORKBOOKS_AT_ONCE = 2
/** Time of a call that opens an export for what follows the wait for a place. */
const READ_MS = 2_000
/** The slowest client that a gateway serves takes 10 s for what it has read. */
const IDLE_MS = 60_000

/*
 * waiting (for a place) → open → ended: read to its end, failed, closed, or not read for a minute, when its gateway is
 * gone. One chunk is made ahead, while the last one is on its way.
 */
@Injectable()
export class OpenExports implements OnModuleDestroy {
  idleMs = IDLE_MS
  private readonly places = { csv: new Semaphore(CSV_AT_ONCE), xlsx: new Semaphore(WORKBOOKS_AT_ONCE) }
  private readonly open = new Map<string, OpenExport>()

  constructor(
    private readonly server: BusServer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * @param call what waits for the reply
   * @param read reads the first page, so that its errors are answered
   * @throws AppError OVERLOADED when no place is free in time, TIMEOUT, what `read` throws
   */
  async start(
    format: Format,
    call: { timeLeft(): number },
    read: () => Promise<Table>,
  ): Promise<ReplyOf<typeof exportOffers>> {
    const release = await this.places[format].acquireWithin(
      call.timeLeft() - READ_MS,
      () => new AppError('OVERLOADED', texts.unavailable),
    )
    try {
      const table = await read()
      // nobody would read it, and it would keep its place for a minute
      if (call.timeLeft() < 0) throw new AppError('TIMEOUT', texts.timeout)
      const export_id = randomUUID()
      const started = { chunks: inChunks(format === 'csv' ? csvBytes(table) : workbookBytes(table)), release }
      this.open.set(export_id, started)
      this.watch(export_id, started)
      return {
        process: this.server.process,
        export_id,
        file_name: `${table.fileName}.${format}`,
        media_type: format === 'csv' ? 'text/csv; charset=utf-8' : WORKBOOK_TYPE,
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** The next bytes; none at the end. @throws AppError NOT_FOUND when it is not open, what its rows throw */
  async read(id: string): Promise<Uint8Array> {
    const read = this.open.get(id)
    if (!read) throw new AppError('NOT_FOUND', texts.notFound)
    clearTimeout(read.idle)
    let isOver = true
    try {
      const current = read.ahead ?? read.chunks.next()
      read.ahead = read.chunks.next()
      // its error is that of the next read, if there is one
      read.ahead.catch(() => undefined)
      const { done, value } = await current
      isOver = done === true
      return value ?? new Uint8Array()
    } finally {
      if (isOver) await this.close(id)
      else if (this.open.has(id)) this.watch(id, read)
    }
  }

  /** Ends an export and what stands behind it, also one that is being read. */
  async close(id: string): Promise<void> {
    const closed = this.open.get(id)
    if (!closed) return
    this.open.delete(id)
    clearTimeout(closed.idle)
    try {
      await closed.chunks.return(undefined)
    } finally {
      closed.release()
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.open.keys()].map((id) => this.close(id)))
  }

  private watch(id: string, watched: OpenExport): void {
    clearTimeout(watched.idle)
    watched.idle = setTimeout(() => {
      this.log.warn('export closed, because nobody reads it')
      this.close(id).catch((error: unknown) => this.log.error({ err: error }, 'export not closed'))
    }, this.idleMs).unref()
  }
}

async function* csvBytes({ rows, style }: Table): AsyncGenerator<Uint8Array> {
  for await (const text of writeCsv(rows, style)) yield Buffer.from(text)
}

function workbookBytes({ rows, sheet, hasHeading }: Table): AsyncGenerator<Uint8Array> {
  return writeWorkbook(rows, { sheet, isFirstRowFrozen: hasHeading })
}
