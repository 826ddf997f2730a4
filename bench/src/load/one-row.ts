import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import exceljs from 'exceljs'
import { median, percentile, round } from '../figures/measure.js'
import { connectPartner, type FileToSend, type Partner } from '../clients/partner.js'
import { processorMs } from '../meters/processes.js'
import { writeZip } from '@partsbus/test-kit/zip-file'

/** Imports after which the code of the services is compiled. */
const WARM_UP = 60
const ROUNDS = 8
/** Of each round, since the idle product uses more of a busy machine. */
const IDLE_MS = 2_000
/** Longer than an import takes, so that its end is asked for once. */
const PAUSE_MS = 200
const TEXT = 'brand;article;name;quantity;price\nBosch;X-1;Pads;4;10\n'

/** A file of each kind, and how many of them are imported in each round. */
type Kinds = Array<{ file: FileToSend; count: number }>

/** A running checkout. */
interface Candidate {
  root: string
  product: RunningProduct
  partner: Partner
  list: number
}

/**
 * Lists of one row, one at a time, without other load: wall time from the first byte sent to `completed_at`, and
 * processor time over all processes, without that of the idle product. All checkouts run, and each imports in turn, so
 * that whatever else the machine does meets them alike.
 */
export async function measureOneRow(roots: string[]): Promise<void> {
  const kinds = await makeFiles()
  const candidates: Candidate[] = []
  try {
    for (const root of roots) candidates.push(await start(root))
    for (const { partner, list } of candidates) await importAll(partner, list, kinds[0]?.file, WARM_UP)
    for (const { file, count } of kinds) await measure(candidates, file, count)
  } finally {
    for (const { partner, product } of candidates) {
      partner.close()
      await product.stop()
    }
  }
}

async function start(root: string): Promise<Candidate> {
  const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
  const partner = await connectPartner(product)
  const list = await partner.createList(await partner.createStorage({ kind: 'price-list' }))
  return { root, product, partner, list }
}

async function measure(candidates: Candidate[], file: FileToSend, count: number): Promise<void> {
  const results = candidates.map((candidate) => ({ candidate, spent: 0, ms: 0, idle: 0, walls: [] as number[] }))
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const result of results) {
      const { product, partner, list } = result.candidate
      const [before, startedAt] = [processorMs(product), performance.now()]
      result.walls.push(...(await importAll(partner, list, file, count)))
      result.spent += processorMs(product) - before
      result.ms += performance.now() - startedAt
    }
    for (const result of results) result.idle -= processorMs(result.candidate.product)
    await sleep(IDLE_MS)
    for (const result of results) result.idle += processorMs(result.candidate.product)
  }
  for (const { candidate, spent, ms, idle, walls } of results)
    console.log(
      `${file.name}, ${candidate.root}: ` +
        `processor ${round((spent - (idle * ms) / (ROUNDS * IDLE_MS)) / walls.length, 1)} ms; ` +
        `wall p50 ${round(median(walls), 0)} ms, p90 ${round(percentile(walls, 0.9), 0)} ms; ${walls.length} imports`,
    )
}

/** @returns wall times in ms; database and client have the same clock */
async function importAll(
  partner: Partner,
  list: number,
  file: FileToSend | undefined,
  count: number,
): Promise<number[]> {
  const walls: number[] = []
  if (!file) return walls
  for (let turn = 0; turn < count; turn += 1) {
    const sentAt = Date.now()
    const task = await partner.upload(list, file)
    await sleep(PAUSE_MS)
    await partner.follow(task)
    const { body } = await partner.post('/get-price-list-status', JSON.stringify({ task_id: task }))
    walls.push(Date.parse((JSON.parse(body) as { task: { completed_at: string } }).task.completed_at) - sentAt)
  }
  return walls
}

async function makeFiles(): Promise<Kinds> {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-one-row-'))
  try {
    const zip = join(folder, 'price.zip')
    await writeZip(zip, 'price.csv', Readable.from([Buffer.from(TEXT)]))
    const book = new exceljs.Workbook()
    book.addWorksheet('List').addRows(TEXT.split('\n').map((line) => line.split(';')))
    return [
      { file: toFile('price.csv', Buffer.from(TEXT)), count: 15 },
      { file: toFile('price.xlsx', Buffer.from(await book.xlsx.writeBuffer())), count: 2 },
      { file: toFile('price.zip', readFileSync(zip)), count: 2 },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function toFile(name: string, bytes: Buffer): FileToSend {
  return { name, size: bytes.length, open: () => Readable.from([bytes]) }
}
