import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { type Db, MongoClient } from 'mongodb'

const MAIN = join(import.meta.dirname, '../dist/main.js')

interface Version {
  _id: string
  version: number
  oldest_code: number
}

describe('the process of a service and the version of its database', () => {
  let client: MongoClient
  let db: Db
  beforeAll(async () => {
    client = await new MongoClient(testMongodbUrl()).connect()
    db = client.db(`test_stock_migrations_${process.pid}`)
  })
  afterEach(async () => {
    await db.dropDatabase()
  })
  afterAll(() => client.close())

  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: {
        ...process.env,
        MONGODB_URL: testMongodbUrl(),
        MONGODB_DATABASE: db.databaseName,
        SECRETS_KEY: 'a'.repeat(64),
        MANAGEMENT_PORT: '0',
        LOG_LEVEL: 'info',
        NODE_NO_WARNINGS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { code: code as number | null, output, errors }
  }

  it('is recorded by --migrate, without a bus', async () => {
    const { code, output, errors } = await run('--migrate')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('database is up to date')
    expect(await db.collection<Version>('schema_version').findOne()).toMatchObject({ _id: 'schema', version: 1 })
  })

  it.each([
    ['the service', []],
    ['--migrate', ['--migrate']],
  ])('makes %s exit with 4 if newer code needs it', async (_case, args) => {
    await db.collection<Version>('schema_version').insertOne({ _id: 'schema', version: 9, oldest_code: 8 })
    const { code, errors } = await run(...args)
    expect({ code, errors }).toEqual({
      code: 4,
      errors: expect.stringMatching(
        /^stock could not (start|migrate): the database has schema version 9, which needs code of schema version 8 /,
      ),
    })
  })

  it('is not touched if an argument is unknown', async () => {
    expect(await run('--migrat')).toEqual({
      code: 1,
      output: '',
      errors: 'stock: unknown arguments --migrat; known are --migrate, --diagnose, --diagnose --fix\n',
    })
  })
})
