import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { AppError } from '@partsbus/contracts/app-error'
import type { Cell } from './csv.js'
import { OpenExports, type Table } from './open-exports.js'

const patient = { timeLeft: () => 60_000 }
/** Batches that each fill a chunk. */
const batch = (text: string): Cell[][] => [[text.repeat(64 * 1024)]]

let exports: OpenExports
let ended = 0
beforeEach(() => {
  exports = new OpenExports({ process: 'one' } as never, { warn: () => undefined, error: () => undefined } as never)
  ended = 0
})

function table(...batches: Array<Cell[][] | Error | Promise<void>>): Table {
  const rows = async function* () {
    try {
      for (const given of batches) {
        if (given instanceof Error) throw given
        if (given instanceof Promise) await given
        else yield given
      }
    } finally {
      ended += 1
    }
  }
  return { fileName: 'offers-7', rows: rows(), sheet: 'Offers', hasHeading: true }
}
const start = async (given: Table, call = patient) => exports.start('csv', call, async () => given)
const gone = { code: 'NOT_FOUND' }

describe('an open export', () => {
  it('is read to its end, after which it is no longer open', async () => {
    const { export_id, ...opened } = await start(table([['a', 1]], [['b', null]]))
    expect(opened).toEqual({ process: 'one', file_name: 'offers-7.csv', media_type: 'text/csv; charset=utf-8' })
    expect(Buffer.from(await exports.read(export_id)).toString()).toBe('\uFEFFa;1\r\nb;\r\n')
    expect(ended).toBe(1)
    expect(await exports.read(export_id)).toHaveLength(0)
    await expect(exports.read(export_id)).rejects.toMatchObject(gone)
  })

  it('makes one chunk ahead of the one that was asked for', async () => {
    let made = 0
    const rows = async function* () {
      for (;;) {
        made += 1
        yield batch('x')
      }
    }
    const { export_id } = await start({ ...table(), rows: rows() })
    expect(made).toBe(0)
    for (let chunks = 1; chunks <= 3; chunks += 1) {
      expect(await exports.read(export_id)).toHaveLength(64 * 1024)
      await setImmediate()
      expect(made).toBe(chunks + 1)
    }
    await exports.close(export_id)
  })

  it('ends with an error of its rows', async () => {
    const { export_id } = await start(table(batch('x'), new AppError('CONFLICT', 'Version 41 is no longer kept.')))
    expect(await exports.read(export_id)).toHaveLength(64 * 1024)
    await expect(exports.read(export_id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(exports.read(export_id)).rejects.toMatchObject(gone)
  })

  it('ends when it is closed, before it was read, while it is, and a second time', async () => {
    const unread = await start(table(batch('x')))
    await exports.close(unread.export_id)
    await expect(exports.read(unread.export_id)).rejects.toMatchObject(gone)
    let proceed: () => void = () => undefined
    const held = new Promise<void>((done) => {
      proceed = done
    })
    const { export_id } = await start(table(held, batch('x'), batch('y')))
    const reading = exports.read(export_id)
    const closing = exports.close(export_id)
    proceed()
    expect(await reading).toHaveLength(64 * 1024)
    await closing
    expect(ended).toBe(1)
    await exports.close(export_id)
  })

  it('ends when nobody reads it for a minute, counted from the last read', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] })
    try {
      const { export_id } = await start(table(batch('x'), batch('y'), batch('z')))
      jest.advanceTimersByTime(59_000)
      await exports.read(export_id)
      jest.advanceTimersByTime(59_000)
      await exports.read(export_id)
      jest.advanceTimersByTime(61_000)
      await expect(exports.read(export_id)).rejects.toMatchObject(gone)
    } finally {
      jest.useRealTimers()
    }
  })

  it('ends with the service', async () => {
    const { export_id } = await start(table(batch('x'), batch('y')))
    await exports.read(export_id)
    await exports.onModuleDestroy()
    expect(ended).toBe(1)
    await expect(exports.read(export_id)).rejects.toMatchObject(gone)
  })
})

describe('the places of exports (rules.md#shared-resources)', () => {
  const hasty = { timeLeft: () => 2_010 }

  it('are refused when none is free in time, and given on by each end', async () => {
    const opened = await Promise.all(Array.from({ length: 16 }, () => start(table(batch('x')))))
    await expect(start(table(), hasty)).rejects.toMatchObject({ code: 'OVERLOADED' })
    await exports.close(opened[0]?.export_id ?? '')
    const next = await start(table(new Error('broken')), hasty)
    await expect(exports.read(next.export_id)).rejects.toThrow('broken')
    const last = await start(table(), hasty)
    expect(await exports.read(last.export_id)).toHaveLength(3)
    expect(await exports.read(last.export_id)).toHaveLength(0)
    await start(table(), hasty)
  })

  it('stay free when an export cannot be opened, or its caller has gone', async () => {
    for (let at = 0; at < 20; at += 1) {
      const failed = exports.start('csv', hasty, () => Promise.reject(new AppError('NOT_FOUND', 'Not found.')))
      await expect(failed).rejects.toMatchObject(gone)
      await expect(start(table(), { timeLeft: () => -1 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    }
    await start(table(), hasty)
  })
})
