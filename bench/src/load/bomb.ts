import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CHECK_CHILD, checkPriceFile } from '@partsbus/price-file/reader-process/check-price-file'
import type { CheckRequest, CheckResponse } from '@partsbus/price-file/reader-process/check-protocol'
import { ReaderPool } from '@partsbus/price-file/reader-process/reader-pool'
import { type Figure, median, round, timed, toFigure } from '../figures/measure.js'
import { watchMemory } from '../meters/processes.js'
import { ofFull, scaled } from '../runs/scale.js'
import { writeZip, zeros } from '@partsbus/test-kit/zip-file'

const UNPACKED = 3 * 1024 ** 3
/** unpacked bytes allowed for 50 MB, the default file limit */
const MAX_UNPACKED = 20 * 50 * 1024 ** 2
const LIMIT_MB = 100
const LIMIT_MS = 1_000
const ROUNDS = 3

/** Archives of 3 MB that unpack to 3 GB: one with a true directory, and one whose directory claims 1 MB. */
export async function benchBomb(folder: string, scale: number): Promise<Figure[]> {
  const unpacked = scaled(UNPACKED, scale)
  const mostAllowed = scaled(MAX_UNPACKED, scale)
  const honest = join(folder, 'honest.zip')
  const lying = join(folder, 'lying.zip')
  await writeZip(honest, 'list.csv', Readable.from(zeros(unpacked), { objectMode: false }))
  await writeZip(lying, 'list.csv', Readable.from(zeros(unpacked), { objectMode: false }), 1024 ** 2)
  const megabytes = round((await stat(honest)).size / 1024 ** 2, 1)
  const packed = `${megabytes} MB that unpack to ${round(unpacked / 1024 ** 3)} GB${ofFull(unpacked, UNPACKED)}`
  const readers = new ReaderPool<CheckRequest, CheckResponse>({ script: CHECK_CHILD, maxReaders: 1 })
  const check = (path: string) => () => checkPriceFile(readers, { path, name: 'list.zip', maxUnpacked: mostAllowed })
  return [
    ...(await refused('an archive of 3 GB in 3 MB', packed, check(honest))),
    ...(await refused('the same archive with a directory that claims 1 MB', packed, check(lying))),
  ]
}

async function refused(what: string, packed: string, open: () => Promise<void>): Promise<Figure[]> {
  const times: number[] = []
  const peaks: number[] = []
  let reason = ''
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const watch = watchMemory(process.pid, 5)
    times.push(
      await timed(() =>
        open().then(
          () => {
            throw new Error(`${what} was not refused`)
          },
          (error: Error) => {
            reason = error.message
          },
        ),
      ),
    )
    peaks.push(watch.stop().children)
  }
  const ms = median(times)
  const mb = Math.max(...peaks)
  return [
    {
      what: `${what} is refused`,
      value: round(ms, 0),
      unit: 'ms',
      goal: `< ${LIMIT_MS}`,
      reached: ms < LIMIT_MS,
      detail: `${packed}; “${reason}”`,
    },
    toFigure({
      what: `peak RSS of the child that refuses ${what}`,
      value: mb,
      digits: 0,
      unit: 'MB',
      detail: packed,
      most: LIMIT_MB,
    }),
  ]
}
