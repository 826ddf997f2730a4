import { fork } from 'node:child_process'
import { once } from 'node:events'
import { open, unlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { type Figure, median, round, timed, toFigure } from '../figures/measure.js'
import type { FileToSend, Partner } from '../clients/partner.js'
import { watchMemory } from '../meters/processes.js'
import { ofFull, scaled } from '../runs/scale.js'

const LARGE = 1024 ** 3
const SMALL = 10 * 1024 ** 2
const ROUNDS = 3

/**
 * Uploads by a partner, until the response confirms that file and task are durable, against writing the body to disk.
 */
export async function benchUploads(
  product: RunningProduct,
  partner: Partner,
  storageId: number,
  folder: string,
  scale: number,
): Promise<Figure[]> {
  const large = scaled(LARGE, scale)
  const small = Math.min(SMALL, Math.round(large / 5))
  const server = fork(join(import.meta.dirname, 'raw-body-server.js'), [join(folder, 'raw-body')])
  try {
    const [port] = (await once(server, 'message')) as [number]
    const pid = product.processes('gateway')[0]?.pid ?? 0
    const peaks = { small: [] as number[], large: [] as number[] }
    const times = { mine: [] as number[], raw: [] as number[], unsynced: [] as number[] }
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      const smallPeak = (await uploaded(small, pid)).peak
      await freeUsedPages(folder, large)
      const raw = await timed(() => sendRaw(port, makeFile(large), '/synced'))
      await freeUsedPages(folder, large)
      const unsynced = await timed(() => sendRaw(port, makeFile(large), '/'))
      await freeUsedPages(folder, large)
      const { ms, peak } = await uploaded(large, pid)
      // the first round is a warm-up
      if (turn === 0) continue
      peaks.small.push(smallPeak)
      peaks.large.push(peak)
      times.raw.push(raw)
      times.unsynced.push(unsynced)
      times.mine.push(ms)
    }
    const ratios = times.mine.map((ms, at) => (times.raw[at] ?? NaN) / ms)
    const value = median(ratios)
    const memory = median(peaks.large) / median(peaks.small)
    const speed = (ms: number): number => Math.round(large / 1024 ** 2 / (ms / 1_000))
    return [
      toFigure({
        what: 'multipart upload of 1 GB, durable, against a raw body to disk, synced',
        value,
        unit: '× its speed',
        detail: [
          `${speed(median(times.mine))} MB a second`,
          `raw ${speed(median(times.raw))}, raw and not synced ${speed(median(times.unsynced))}`,
          `ratios ${ratios.map((one) => round(one)).join(', ')}${ofFull(large, LARGE, 'bytes')}`,
        ].join('; '),
        least: 0.9,
      }),
      toFigure({
        what: 'peak RSS of the gateway during an upload of 1 GB, against 10 MB',
        value: memory,
        unit: '×',
        detail:
          `${Math.round(median(peaks.large))} MB, against ${Math.round(median(peaks.small))} MB` +
          `${ofFull(large, LARGE)}${ofFull(small, SMALL, 'bytes')}`,
        most: 1.1,
      }),
    ]
  } finally {
    server.disconnect()
  }

  async function uploaded(size: number, pid: number): Promise<{ ms: number; peak: number }> {
    const listId = await partner.createList(storageId)
    const watch = watchMemory(pid)
    let task = 0
    const ms = await timed(async () => {
      task = await partner.upload(listId, makeFile(size))
    })
    const peak = watch.stop().together
    await endImport(partner, task)
    return { ms, peak }
  }
}

/**
 * Writes a file and deletes it, so that the next one finds pages of memory that were used before. On a virtual machine
 * the first use of a page costs ten times as much as copying into it, and only the yardstick would be spared that: it
 * overwrites its file, while each upload is a new one.
 */
async function freeUsedPages(folder: string, size: number): Promise<void> {
  const path = join(folder, 'pages')
  const piece = Buffer.alloc(1024 ** 2, 0x20)
  const file = await open(path, 'w')
  // more than are needed, because others take some
  for (let left = size * 1.5; left > 0; left -= piece.length) await file.write(piece)
  await file.datasync()
  await file.close()
  await unlink(path)
}

/**
 * Cancels an import and waits for its end, so that it does not disturb the next measurement. It may have ended already.
 */
async function endImport(partner: Partner, task: number): Promise<void> {
  await partner.admin('POST /import-tasks/:id/cancel', { params: { id: task } }).catch(() => undefined)
  await partner.follow(task).catch(() => undefined)
}

/** Without a header, so that its import fails at once and does not disturb the next measurement. */
function makeFile(size: number): FileToSend {
  const piece = Buffer.from('белый;синий;Фильтр масляный;чёрный;красный\r\n'.repeat(4_000))
  function* pieces(): Generator<Buffer> {
    for (let left = size; left > 0; left -= piece.length) yield left >= piece.length ? piece : Buffer.alloc(left, 0x20)
  }
  return { name: 'list.csv', size, open: () => Readable.from(pieces(), { objectMode: false }) }
}

async function sendRaw(port: number, file: FileToSend, path: '/' | '/synced'): Promise<void> {
  const sent = request({ port, path, host: '127.0.0.1', method: 'POST', headers: { 'content-length': file.size } })
  const answered = once(sent, 'response') as Promise<[Readable]>
  await Promise.all([
    pipeline(file.open(), sent),
    answered.then(async ([response]) => {
      response.resume()
      await once(response, 'end')
    }),
  ])
}
