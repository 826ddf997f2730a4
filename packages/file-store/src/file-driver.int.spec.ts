import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bytesIn, startTestS3, type TestS3 } from '@partsbus/local-stack/test-s3'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'
import { fileStoreConfig } from './config.js'
import { type FileDriver, FileNotFound, FileStorageUnavailable } from './file-driver.js'
import { type FileLayout, openFileDrivers } from './open-file-drivers.js'

const MIB = 1024 * 1024
/** The layouts of the services, whose stored files must stay readable. */
const MEDIA: FileLayout = { bucket: 'media', chunkDigits: 1, folder: '', levels: 2 }
const PRICE_FILES: FileLayout = { bucket: 'price_files', chunkDigits: 6, folder: 'price-files', levels: 0 }

const scratch = mkdtempSync(join(tmpdir(), 'partsbus-scratch-'))
const storage = mkdtempSync(join(tmpdir(), 'partsbus-files-'))
let client: MongoClient
let db: Db
let s3: TestS3

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db(`test_files_${randomBytes(4).toString('hex')}`)
  s3 = await startTestS3()
})
afterAll(async () => {
  await s3.close()
  for (const folder of [scratch, storage]) rmSync(folder, { recursive: true })
  await db.dropDatabase()
  await client.close()
})

async function openDriver(config: object, layout = PRICE_FILES, path?: string): Promise<FileDriver> {
  const drivers = await openFileDrivers(db, { ...fileStoreConfig.parse({}), ...config }, layout, path)
  return drivers.get(drivers.current)
}

/** Stores a local file, which is deleted afterwards. */
async function writeLocal(driver: FileDriver, name: string, bytes: Buffer | string): Promise<number> {
  const path = join(scratch, name)
  writeFileSync(path, bytes)
  try {
    return await driver.writeFrom(name, path)
  } finally {
    rmSync(path)
  }
}

async function readCopy(driver: FileDriver, name: string): Promise<Buffer> {
  const path = join(scratch, `${name}.out`)
  await driver.copyTo(name, path)
  const bytes = readFileSync(path)
  rmSync(path)
  return bytes
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function chunkBytes(): Promise<number> {
  const sizes = await Promise.all(
    [MEDIA, PRICE_FILES].map(({ bucket }) =>
      db
        .collection(`${bucket}.chunks`)
        .aggregate<{ bytes: number }>([{ $group: { _id: null, bytes: { $sum: { $binarySize: '$data' } } } }])
        .toArray(),
    ),
  )
  return sizes.flat().reduce((sum, { bytes }) => sum + bytes, 0)
}

const storages = {
  gridfs: { config: () => ({}), storedBytes: chunkBytes },
  fs: { config: () => ({ STORAGE_DRIVER: 'fs', STORAGE_PATH: storage }), storedBytes: () => bytesIn(storage) },
  s3: {
    config: () => ({ STORAGE_DRIVER: 's3', S3_PREFIX: 'shop/', ...s3.config }),
    storedBytes: () => s3.storedBytes(),
  },
}

describe.each(['gridfs', 'fs', 's3'] as const)('%s', (name) => {
  const { config, storedBytes } = storages[name]
  let driver: FileDriver
  let media: FileDriver
  beforeAll(async () => {
    driver = await openDriver(config())
    media = await openDriver(config(), MEDIA)
  })

  // the last one has several parts of an S3 upload
  it.each([1, MIB - 1, MIB, MIB + 1, 12 * MIB + 7])('returns %d bytes whole and in any range', async (size) => {
    const bytes = randomBytes(size)
    const key = `${size}-aa`
    expect(await writeLocal(driver, key, bytes)).toBe(size)
    expect(sha256(await readCopy(driver, key))).toBe(sha256(bytes))
    for (const [offset, length] of [
      [0, 1],
      [0, 2],
      [0, MIB],
      [size - 1, 1],
      [size - 1, 50],
      [Math.floor(size / 2), MIB],
      [Math.max(0, MIB - 3), 6],
    ] as const) {
      if (offset >= size) continue
      expect([
        offset,
        Buffer.compare(await driver.read(key, offset, length), bytes.subarray(offset, offset + length)),
      ]).toEqual([offset, 0])
    }
    await driver.delete(key)
  })

  it('stores the same bytes once when several processes write them at once, and again', async () => {
    const files = [randomBytes(10), randomBytes(2 * MIB + 1)].map((bytes) => ({ name: sha256(bytes), bytes }))
    const before = await storedBytes()
    const other = await openDriver(config(), MEDIA)
    await Promise.all([media.write(files), other.write(files.toReversed())])
    await media.write(files)
    expect(await storedBytes()).toBe(before + 2 * MIB + 11)
    for (const { name: key, bytes } of files) {
      expect(sha256(await readCopy(media, key))).toBe(key)
      expect(Buffer.compare(await other.read(key, 5, bytes.length), bytes.subarray(5))).toBe(0)
      await media.delete(key)
    }
    expect(await storedBytes()).toBe(before)
  })

  it('leaves nothing of a deleted file, and deletes again without an error', async () => {
    const before = await storedBytes()
    await writeLocal(driver, '2-bb', randomBytes(3 * MIB))
    expect(await storedBytes()).toBe(before + 3 * MIB)
    await driver.delete('2-bb')
    expect(await storedBytes()).toBe(before)
    await driver.delete('2-bb')
    await expect(driver.read('2-bb', 0, 1)).rejects.toThrow(FileNotFound)
    await expect(readCopy(driver, '2-bb')).rejects.toThrow(FileNotFound)
  })

  it('fails to store a missing local file, and leaves nothing after delete', async () => {
    const before = await storedBytes()
    await expect(driver.writeFrom('3-cc', join(scratch, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readCopy(driver, '3-cc')).rejects.toThrow(FileNotFound)
    await driver.delete('3-cc')
    expect(await storedBytes()).toBe(before)
  })

  it('keeps a copy when the file is deleted', async () => {
    await writeLocal(driver, '7-gg', 'kept')
    const path = join(scratch, 'copy')
    await driver.copyTo('7-gg', path)
    await driver.delete('7-gg')
    expect(readFileSync(path, 'utf8')).toBe('kept')
    rmSync(path)
  })

  it('keeps a file whose name starts with the name of a deleted one', async () => {
    await writeLocal(driver, '4-dd', randomBytes(10))
    await writeLocal(driver, '4-dd1-dd', 'other')
    await driver.delete('4-dd')
    expect((await readCopy(driver, '4-dd1-dd')).toString()).toBe('other')
    await driver.delete('4-dd1-dd')
  })
})

describe('the layouts', () => {
  const stored = [
    { layout: MEDIA, name: 'abcdef', chunk: 'abcdef/0', path: 'ab/cd/abcdef', key: 'shop/abcdef' },
    {
      layout: PRICE_FILES,
      name: '12-ff',
      chunk: '12-ff/000000',
      path: 'price-files/12-ff',
      key: 'shop/price-files/12-ff',
    },
  ]

  it.each(stored)('name chunks, files and objects as they are stored already: $name', async (row) => {
    const { layout, name, chunk, path, key } = row
    const bytes = Buffer.from('bytes')
    const drivers = await Promise.all(Object.values(storages).map(({ config }) => openDriver(config(), layout)))
    for (const driver of drivers) await driver.write([{ name, bytes }])
    const chunks = db.collection<{ _id: string }>(`${layout.bucket}.chunks`)
    expect(await chunks.findOne({ _id: chunk })).toMatchObject({ files_id: name, n: 0 })
    const files = db.collection<{ _id: string }>(`${layout.bucket}.files`)
    expect(await files.findOne({ _id: name })).toMatchObject({ filename: name, length: 5, chunkSize: MIB })
    expect(readFileSync(join(storage, path), 'utf8')).toBe('bytes')
    expect(s3.keys()).toContain(key)
    for (const driver of drivers) {
      expect((await driver.read(name, 1, 3)).toString()).toBe('yte')
      await driver.delete(name)
    }
  })
})

describe('the configuration', () => {
  it('must have the variables of the driver', async () => {
    await expect(openDriver({ STORAGE_DRIVER: 'fs' })).rejects.toThrow(
      'STORAGE_PATH must be set when STORAGE_DRIVER is fs',
    )
    await expect(openDriver({ STORAGE_DRIVER: 's3' })).rejects.toThrow(
      'S3_BUCKET must be set when STORAGE_DRIVER is s3',
    )
    await expect(openDriver({ STORAGE_DRIVER: 'fs', STORAGE_PATH: '/dev/null/files' })).rejects.toThrow('ENOTDIR')
  })

  it('selects the database by default, and the folder when the service has a path', async () => {
    const currentDriver = async (config: object, path?: string) =>
      (await openFileDrivers(db, { ...fileStoreConfig.parse({}), ...config }, PRICE_FILES, path)).current
    expect(await currentDriver({})).toBe('gridfs')
    expect(await currentDriver({}, storage)).toBe('fs')
    expect(await currentDriver({ STORAGE_DRIVER: 'gridfs' }, storage)).toBe('gridfs')
  })

  it('makes no folder unless files are to be stored in it', async () => {
    const path = join(storage, 'none')
    await openFileDrivers(db, fileStoreConfig.parse({}), PRICE_FILES, path, { prepare: false })
    expect(existsSync(path)).toBe(false)
  })

  it('reports a driver that is no longer configured', async () => {
    const drivers = await openFileDrivers(db, fileStoreConfig.parse({}), PRICE_FILES)
    expect(() => drivers.get('s3')).toThrow('the driver s3, which is not configured')
  })
})

describe('a failing storage', () => {
  it('is unavailable when it does not answer, and reports the error when it refuses', async () => {
    const config = storages.s3.config()
    const unreachable = await openDriver({ ...config, S3_ENDPOINT: 'http://127.0.0.1:1' })
    await expect(writeLocal(unreachable, '5-ee', 'x')).rejects.toThrow(FileStorageUnavailable)
    await expect(unreachable.write([{ name: '5-ee', bytes: randomBytes(1) }])).rejects.toThrow(FileStorageUnavailable)
    await expect(unreachable.read('5-ee', 0, 1)).rejects.toThrow(FileStorageUnavailable)
    const noBucket = await openDriver({ ...config, S3_BUCKET: 'nowhere' })
    await expect(writeLocal(noBucket, '5-ee', 'x')).rejects.toMatchObject({ name: 'NoSuchBucket' })
    const noAccess = await openDriver({ ...config, S3_ACCESS_KEY_ID: 'stranger' })
    await expect(writeLocal(noAccess, '5-ee', 'x')).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  })

  it.each([MEDIA, PRICE_FILES])('stores nothing in a folder that is not mounted any more: %#', async (layout) => {
    const folder = join(scratch, 'mounted')
    const driver = await openDriver({}, layout, folder)
    rmSync(folder, { recursive: true })
    await expect(writeLocal(driver, '6-ff', 'x')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(driver.write([{ name: '6-ff', bytes: randomBytes(1) }])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

it('a folder of the same file system links local files and replaces the draft of a killed process', async () => {
  const folder = join(scratch, 'linked')
  const driver = await openDriver({}, PRICE_FILES, `${folder}/`)
  const path = join(scratch, 'source')
  writeFileSync(path, 'new')
  await driver.writeFrom('9-ii', path)
  expect(statSync(join(folder, '9-ii')).ino).toBe(statSync(path).ino)
  writeFileSync(join(folder, '10-jj.new'), 'half')
  await driver.writeFrom('10-jj', path)
  expect((await driver.read('10-jj', 0, 10)).toString()).toBe('new')
  writeFileSync(join(folder, '11-kk.new'), 'half')
  await driver.delete('11-kk')
  expect(readdirSync(folder).sort()).toEqual(['10-jj', '9-ii'])
})
