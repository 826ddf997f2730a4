import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'
import { type FilePlace, openFilePlaces } from '../testing/file-places.js'
import { type FileDriver, FileGone, FilesAway } from './file-driver.js'
import { filesConfig } from './files-config.js'
import { openDrivers } from './open-drivers.js'

const MIB = 1024 * 1024
const NAMES = ['gridfs', 'fs', 's3'] as const

const scratch = mkdtempSync(join(tmpdir(), 'partsbus-scratch-'))
let client: MongoClient
let db: Db
let places: Awaited<ReturnType<typeof openFilePlaces>>

beforeAll(async () => {
  client = await new MongoClient(testMongodbUrl()).connect()
  db = client.db(`test_files_${randomBytes(4).toString('hex')}`)
  places = await openFilePlaces()
})
afterAll(async () => {
  await places.close()
  rmSync(scratch, { recursive: true })
  await db.dropDatabase()
  await client.close()
})

const open = async (config: object): Promise<FileDriver> => {
  const drivers = await openDrivers(db, { ...filesConfig.parse({}), ...config })
  return drivers.of(drivers.current)
}

/** Lets a driver take a file over, which is deleted afterwards. */
async function take(driver: FileDriver, key: string, bytes: Buffer | string): Promise<number> {
  const path = join(scratch, key)
  writeFileSync(path, bytes)
  try {
    return await driver.take(key, path)
  } finally {
    rmSync(path)
  }
}

async function whole(driver: FileDriver, key: string): Promise<Buffer> {
  const path = join(scratch, `${key}.out`)
  await driver.copyTo(key, path)
  const bytes = readFileSync(path)
  rmSync(path)
  return bytes
}

describe.each(NAMES)('files kept by %s', (name) => {
  let place: FilePlace
  let driver: FileDriver
  beforeAll(async () => {
    place = places.places[name]
    driver = await open(place.config)
  })

  // the last one is more than one part of an S3 upload
  it.each([1, MIB - 1, MIB, MIB + 1, 12 * MIB + 7])(
    '%d bytes come back as they were, whole and in any range',
    async (size) => {
      const bytes = randomBytes(size)
      const key = `${size}-aa`
      expect(await take(driver, key, bytes)).toBe(size)
      const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex')
      expect(hash(await whole(driver, key))).toBe(hash(bytes))
      for (const [offset, length] of [
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
    },
  )

  it('a deleted one is gone, nothing of it is left, and deleting again is no error', async () => {
    const before = await place.bytes(db)
    await take(driver, '2-bb', randomBytes(3 * MIB))
    expect(await place.bytes(db)).toBe(before + 3 * MIB)
    await driver.delete('2-bb')
    expect(await place.bytes(db)).toBe(before)
    await driver.delete('2-bb')
    await expect(driver.read('2-bb', 0, 1)).rejects.toThrow(FileGone)
    await expect(whole(driver, '2-bb')).rejects.toThrow(FileGone)
  })

  it('one that is not there to be taken is an error, and leaves nothing once it is deleted', async () => {
    const before = await place.bytes(db)
    await expect(driver.take('3-cc', join(scratch, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(whole(driver, '3-cc')).rejects.toThrow(FileGone)
    await driver.delete('3-cc')
    expect(await place.bytes(db)).toBe(before)
  })

  it('a copy stays when the file is deleted', async () => {
    await take(driver, '7-gg', 'kept')
    const path = join(scratch, 'copy')
    await driver.copyTo('7-gg', path)
    await driver.delete('7-gg')
    expect(readFileSync(path, 'utf8')).toBe('kept')
    rmSync(path)
  })

  it('one whose key begins alike stays when the other goes', async () => {
    await take(driver, '4-dd', randomBytes(10))
    await take(driver, '4-dd1-dd', 'other')
    await driver.delete('4-dd')
    expect((await whole(driver, '4-dd1-dd')).toString()).toBe('other')
    await driver.delete('4-dd1-dd')
  })
})

describe('the place of files', () => {
  it('must be said in full', async () => {
    await expect(open({ STORAGE_DRIVER: 'fs' })).rejects.toThrow(
      'FILES_PATH or STORAGE_PATH must be set when STORAGE_DRIVER is fs',
    )
    await expect(open({ STORAGE_DRIVER: 's3' })).rejects.toThrow('S3_BUCKET must be set when STORAGE_DRIVER is s3')
    await expect(open({ STORAGE_DRIVER: 'fs', STORAGE_PATH: '/dev/null/files' })).rejects.toThrow('ENOTDIR')
  })

  it('that does not answer is away; one that refuses is not', async () => {
    const { config } = places.places.s3
    const away = await open({ ...config, S3_ENDPOINT: 'http://127.0.0.1:1' })
    await expect(take(away, '5-ee', 'x')).rejects.toThrow(FilesAway)
    await expect(away.read('5-ee', 0, 1)).rejects.toThrow(FilesAway)
    const elsewhere = await open({ ...config, S3_BUCKET: 'nowhere' })
    await expect(take(elsewhere, '5-ee', 'x')).rejects.toMatchObject({ name: 'NoSuchBucket' })
    const stranger = await open({ ...config, S3_ACCESS_KEY_ID: 'stranger' })
    await expect(take(stranger, '5-ee', 'x')).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
  })

  it('that is no more, like a share that is not mounted, takes nothing', async () => {
    const { places: own, close } = await openFilePlaces()
    const driver = await open(own.fs.config)
    await close()
    await expect(take(driver, '6-ff', 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is the folder where one is named, a folder for several services with one of ours in it, and else the database', async () => {
    const currentOf = async (config: object) => (await openDrivers(db, { ...filesConfig.parse({}), ...config })).current
    const { FILES_PATH } = places.places.fs.config
    expect(await currentOf({})).toBe('gridfs')
    expect(await currentOf({ FILES_PATH })).toBe('fs')
    expect(await currentOf({ FILES_PATH, STORAGE_DRIVER: 'gridfs' })).toBe('gridfs')
    await take(await open({ STORAGE_DRIVER: 'fs', STORAGE_PATH: scratch }), '8-hh', 'x')
    expect(readdirSync(join(scratch, 'price-files'))).toEqual(['8-hh'])
  })

  it('in a folder of the same file system moves no byte, and replaces what a killed process left under the key', async () => {
    const folder = join(scratch, 'linked')
    const driver = await open({ FILES_PATH: folder })
    const path = join(scratch, 'source')
    writeFileSync(path, 'new')
    await driver.take('9-ii', path)
    expect(statSync(join(folder, '9-ii')).ino).toBe(statSync(path).ino)
    writeFileSync(join(folder, '10-jj.new'), 'half')
    await driver.take('10-jj', path)
    expect((await driver.read('10-jj', 0, 10)).toString()).toBe('new')
    writeFileSync(join(folder, '11-kk.new'), 'half')
    await driver.delete('11-kk')
    expect(readdirSync(folder).sort()).toEqual(['10-jj', '9-ii'])
  })
})
