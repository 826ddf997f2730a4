import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { LATEST_BACKUP } from '@partsbus/contracts/administration/latest-times'
import { writeLatestTime } from '@partsbus/platform/mongo/latest-time'
import { type AdministrationUnderTest, startAdministrationUnderTest } from './testing/administration-under-test.js'

let service: AdministrationUnderTest
beforeAll(async () => {
  service = await startAdministrationUnderTest()
})
afterAll(() => service?.stop())

it('the moment of the newest backup is a metric, absent without one', async () => {
  const metric = async (): Promise<string | undefined> => {
    const { managementPort } = service.service
    const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text()
    return text.split('\n').find((line) => line.startsWith('backup_latest_timestamp_seconds'))
  }
  expect(await metric()).toBeUndefined()
  await writeLatestTime(service.db, LATEST_BACKUP, new Date('2026-01-31T03:00:00Z'))
  await writeLatestTime(service.db, LATEST_BACKUP, new Date('2026-01-30T03:00:00Z'))
  expect(await waitUntil(async () => (await metric())?.endsWith(' 1769828400') === true, { withinMs: 60_000 })).toBe(
    true,
  )
})

describe('the version of the database', () => {
  it('is recorded', async () => {
    expect(await service.db.collection('schema_version').findOne()).toMatchObject({ _id: 'schema', version: 1 })
  })

  it('makes the service refuse a database that only newer code may use', async () => {
    const versions = service.db.collection<{ _id: string; version: number; oldest_code: number }>('schema_version')
    const stored = await versions.findOne()
    await versions.updateOne({ _id: 'schema' }, { $set: { version: 9, oldest_code: 8 } })
    await expect(service.startReplica()).rejects.toThrow(
      'the database has schema version 9, which needs code of schema version 8 or newer; this code has 1.',
    )
    if (stored) await versions.replaceOne({ _id: 'schema' }, stored)
  })
})
