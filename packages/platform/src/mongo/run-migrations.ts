import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@partsbus/contracts/errors'
import type { Db } from 'mongodb'
import type { Log } from '../process/log.js'
import { LeaseStore } from './lease-store.js'
import { checkMigrations, codeVersion, type Migration, type Rewrite } from './migration.js'
import { assertNoRestore } from './restore-mark.js'
import { WaitLog } from './retry-until-reached.js'
import { type RewriteProgress, rewriteCollection } from './rewrite-collection.js'
import { SchemaStore, type SchemaVersion } from './schema-store.js'
import { isDatabaseDown } from './to-app-error.js'

/*
 * A database is new → current, or current, or behind → migrating → current, or too new for this code.
 * While one process migrates, under a lease on the database's clock, others that start wait for it. When it dies, the
 * next one continues at the stored progress. A process that was frozen and lost its lease may write one more batch,
 * which is harmless: a batch changes nothing that is done, and only the migration of the next version is completed.
 */
const LEASE = 'migrations'
const LEASE_MS = 30_000
const RETRY_MS = 500
const LOG_EVERY_MS = 10_000
const BATCH_SIZE = 500

export interface MigrationOptions {
  log: Log
  /** ends waiting and migrating */
  signal?: AbortSignal
  /** called when the database turns out to be behind */
  onPending?: () => void
  leaseMs?: number
  batchSize?: number
}

/** The database has been migrated by a newer release, which this code is too old for. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  /** of a process that ends for this reason: starting it again is of no use */
  readonly exitCode = 4

  constructor(schema: SchemaVersion, code: number) {
    super(
      `the database has schema version ${schema.version}, which needs code of schema version ` +
        `${schema.oldest_code} or newer; this code has ${code}. Start a newer release, or restore a backup from ` +
        'before the upgrade (docs/operate/upgrade.md).',
    )
  }
}

/**
 * Brings a database to the version of this code. Waits while the database is down, and while another process migrates.
 * Must be called before anything else writes to the database.
 * @throws Error while a restore has not ended
 * @throws NewerSchema if the database was migrated by newer code that does not allow code of this version
 */
export async function runMigrations(
  db: Db,
  migrations: readonly Migration[],
  options: MigrationOptions,
): Promise<SchemaVersion> {
  const { log, signal, leaseMs = LEASE_MS } = options
  checkMigrations(migrations)
  const current = codeVersion(migrations)
  const store = new SchemaStore(db)
  const leases = new LeaseStore(db.collection('leases'))
  for (const waits = new WaitLog(log); ;) {
    signal?.throwIfAborted()
    try {
      await assertNoRestore(db)
      const schema = await store.open(current)
      if (current < schema.oldest_code) throw new NewerSchema(schema, current)
      if (schema.version >= current) {
        if (schema.version > current)
          log.info({ schema_version: schema.version, code_version: current }, 'database is of a newer release')
        return schema
      }
      options.onPending?.()
      await leases.withLease(LEASE, { leaseMs, waitMs: 0, isRenewed: true }, (lease) =>
        migrate(db, store, migrations, { ...options, signal: signal ? AbortSignal.any([signal, lease]) : lease }),
      )
      continue
    } catch (error) {
      if (isDatabaseDown(error)) waits.noteDatabaseDown(error)
      else if (error instanceof AppError && error.code === 'OVERLOADED')
        waits.note('waiting for the migrations of another process')
      else throw error
    }
    await sleep(RETRY_MS, undefined, signal && { signal })
  }
}

/** Runs the pending migrations, while the lease is held. */
async function migrate(
  db: Db,
  store: SchemaStore,
  migrations: readonly Migration[],
  { log, signal, batchSize = BATCH_SIZE }: MigrationOptions & { signal: AbortSignal },
): Promise<void> {
  const schema = await store.read()
  for (const migration of migrations.filter(({ version }) => version > schema.version)) {
    const { version, name } = migration
    signal.throwIfAborted()
    if (!(await store.begin(migration))) return
    const begun = performance.now()
    const figures: Record<string, Omit<RewriteProgress, 'after'>> = {}
    log.info({ schema_version: version, migration: name }, 'migration started')
    const rewrite = async (step: Rewrite): Promise<void> => {
      if (step.collection in figures) throw new Error(`migration ${version} rewrites ${step.collection} twice`)
      let loggedAt = performance.now()
      const { after: _after, ...figure } = await rewriteCollection(db.collection(step.collection), step, {
        batchSize,
        signal,
        load: () => store.readProgress(migration, step.collection),
        save: async (progress) => {
          await store.saveProgress(migration, step.collection, progress)
          if (performance.now() - loggedAt < LOG_EVERY_MS) return
          loggedAt = performance.now()
          const { read, changed } = progress
          log.info({ schema_version: version, collection: step.collection, read, changed }, 'migration in progress')
        },
      })
      figures[step.collection] = figure
    }
    await migration.run({ db, signal, rewrite })
    signal.throwIfAborted()
    await store.complete(migration)
    const ms = Math.round(performance.now() - begun)
    log.info({ schema_version: version, migration: name, ms, ...figures }, 'migration completed')
  }
}
