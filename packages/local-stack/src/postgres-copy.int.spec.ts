import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { FERRETDB, unavailableProgramReason } from './go-programs.js'
import { copyPostgres, startDatabaseAlone } from './postgres-copy.js'
import { unavailablePostgresReason } from './postgres-root.js'

const reason = unavailablePostgresReason() ?? unavailableProgramReason(FERRETDB)
if (reason !== undefined) console.warn(`skipped: PostgreSQL does not run here: ${reason}`)
/** Without the kept log two of five such pairs failed. */
const PAIRS = 8

;(reason === undefined ? describe : describe.skip)('copies of a running PostgreSQL', () => {
  let stateDir: string
  let database: Awaited<ReturnType<typeof startDatabaseAlone>>
  beforeAll(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'partsbus-copies-'))
    database = await startDatabaseAlone(stateDir, true)
  })
  afterAll(async () => {
    await database.stop()
    rmSync(stateDir, { recursive: true })
  })

  it('take no log from each other when two begin at once', async () => {
    const [, , , port] = readFileSync(join(stateDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
    const copy = async (name: string): Promise<void> => {
      const target = join(stateDir, name)
      mkdirSync(target)
      await copyPostgres({ stateDir, port: Number(port) }, target)
      expect(readdirSync(target).sort()).toEqual(['backup_manifest', 'base.tar.gz', 'pg_wal.tar.gz'])
      rmSync(target, { recursive: true })
    }
    for (let pair = 0; pair < PAIRS; pair += 1) await Promise.all([copy(`${pair} a`), copy(`${pair} b`)])
  })
})
