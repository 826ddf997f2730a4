import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  acceptUpload,
  deletePriceList,
  listImportTasks,
  readTaskFile,
} from '@partsbus/contracts/pricing-import/commands'
import { openFilePlaces } from '../testing/file-places.js'
import { priceText } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const MIB = 1024 * 1024
const LARGE = priceText(60_000, 1)

let files: Awaited<ReturnType<typeof openFilePlaces>>
beforeAll(async () => {
  files = await openFilePlaces()
})
afterAll(() => files.close())

describe.each(['gridfs', 'fs', 's3'] as const)('the service with its files in %s', (name) => {
  let pricing: PricingUnderTest
  beforeAll(async () => {
    pricing = await startPricing(files.places[name].config)
  })
  afterAll(() => pricing.stop())

  it('imports an upload, gives its file back letter by letter, and deletes it with the list', async () => {
    const { id } = await pricing.newList()
    const task = await pricing.import(id, LARGE)
    expect(task).toMatchObject({ status: 'completed', total_rows: 60_000 })
    const parts: Buffer[] = []
    for (let offset = 0; ; offset += MIB) {
      const part = await pricing.read(readTaskFile, { id: task.id, offset, length: MIB })
      if (part.length === 0) break
      parts.push(part)
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(Buffer.concat(parts).equals(Buffer.from(LARGE))).toBe(true)
    expect(await files.places[name].bytes(pricing.db)).toBe(Buffer.byteLength(LARGE))
    await pricing.until(() => pricing.ask(deletePriceList, { id, with_history: true }).catch(() => undefined))
    expect(await files.places[name].bytes(pricing.db)).toBe(0)
  })

  it('sweeps what a killed process left an hour ago, and nothing younger', async () => {
    const [old, young] = [
      await pricing.stores.files.store(import.meta.filename, 'old.csv'),
      await pricing.stores.files.store(import.meta.filename, 'young.csv'),
    ]
    await pricing.db
      .collection<{ _id: number }>('files')
      .updateOne({ _id: old.id }, { $set: { at: new Date(Date.now() - 3_700_000) } })
    await pricing.clean()
    expect(await pricing.stores.files.get(old.id)).toBeUndefined()
    expect(await pricing.stores.files.get(young.id)).toEqual(young)
    expect(await files.places[name].bytes(pricing.db)).toBe(young.size)
    await pricing.stores.files.delete(young.id)
  })
})

describe('a file that cannot be stored', () => {
  const refusal = { code: 'STORE_FAILED', message: 'Failed to store uploaded file.' }

  it('is refused with the documented text and leaves no task if the bucket is missing or does not answer', async () => {
    for (const change of [{ S3_BUCKET: 'nowhere' }, { S3_ENDPOINT: 'http://127.0.0.1:1' }]) {
      const pricing = await startPricing({ ...files.places.s3.config, ...change })
      const { id } = await pricing.newList()
      await expect(
        pricing.ask(acceptUpload, { price_list_id: id, ...(await pricing.put(LARGE)) }),
      ).rejects.toMatchObject(refusal)
      expect(await pricing.ask(listImportTasks, { page: 1, per_page: 10 })).toMatchObject({ total: 0 })
      await pricing.stop()
    }
  })

  const disk = smallDisk()
  const test = disk === undefined ? it.skip : it
  const skipped = disk === undefined ? ' (skipped: no file system can be mounted here)' : ''
  test(`is refused when the disk is full, and a smaller one is accepted${skipped}`, async () => {
    const pricing = await startPricing({ FILES_PATH: disk ?? '' })
    try {
      const { id } = await pricing.newList()
      await expect(
        pricing.ask(acceptUpload, { price_list_id: id, ...(await pricing.put(LARGE)) }),
      ).rejects.toMatchObject(refusal)
      expect(await pricing.ask(listImportTasks, { page: 1, per_page: 10 })).toMatchObject({ total: 0 })
      expect(await pricing.db.collection('files').countDocuments()).toBe(0)
      expect(await pricing.import(id, priceText(10, 1))).toMatchObject({ status: 'completed' })
    } finally {
      await pricing.stop()
      command('umount', disk ?? '')
    }
  })
})

it('an import whose file cannot be had for a while waits for it, and no attempt is counted', async () => {
  let isAway = false
  const door = createServer((client) => {
    if (isAway) return void client.destroy()
    const server = connect(Number(new URL(files.places.s3.config.S3_ENDPOINT ?? '').port), '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to)
    sockets.add(client)
  })
  const sockets = new Set<Socket>()
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  const pricing = await startPricing({
    ...files.places.s3.config,
    S3_ENDPOINT: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
  })
  const { id } = await pricing.newList()
  const lists = pricing.db.collection<{ _id: number }>('price_lists')
  await lists.updateOne({ _id: id }, { $set: { lease_owner: 'other', lease_until: new Date(Date.now() + 600_000) } })
  const task = await pricing.upload(id, priceText(10, 1))
  isAway = true
  for (const socket of sockets) socket.destroy()
  await lists.updateOne({ _id: id }, { $set: { lease_owner: '', lease_until: new Date(0) } })
  await pricing.until(async () => (((await pricing.stores.tasks.find(task))?.attempt ?? 0) >= 2 ? true : undefined))
  expect(await pricing.task(task)).toMatchObject({ status: 'processing', error_message: null })
  isAway = false
  expect(await pricing.finish(task)).toMatchObject({ status: 'completed' })
  expect((await pricing.stores.tasks.find(task))?.tries).toBe(1)
  await pricing.stop()
  await new Promise((done) => {
    door.close(done)
    for (const socket of sockets) socket.destroy()
  })
})

it('files from before a change of the driver stay readable, and go with their tasks', async () => {
  const { fs } = files.places
  const pricing = await startPricing()
  const { id } = await pricing.newList()
  const task = await pricing.import(id, priceText(10, 1))
  await pricing.stopServices()
  await pricing.startService(fs.config)
  expect((await pricing.read(readTaskFile, { id: task.id, offset: 0, length: MIB })).toString()).toBe(priceText(10, 1))
  await pricing.until(() => pricing.ask(deletePriceList, { id, with_history: true }).catch(() => undefined))
  expect(await pricing.db.collection('price_files.chunks').countDocuments()).toBe(0)
  await pricing.stop()
})

/** A file system of 512 KiB; undefined where this machine mounts none. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-disk-'))
  try {
    command('mount', '-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder)
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}

function command(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}
