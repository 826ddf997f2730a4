import type { Db, Document, UpdateFilter } from 'mongodb'

/**
 * A change of the stored form of a database, in `services/<name>/src/migrations/<version>-<what>.ts`. It runs while
 * requests are answered, may be interrupted at any point and is then run again: each of its steps must change nothing
 * where it has been made already (docs/develop/migrations.md).
 */
export interface Migration {
  /** the version of the database after it; the first migration is 2 */
  version: number
  /** for the log, for example `quantities as numbers` */
  name: string
  /**
   * The lowest version whose code may use the database from the start of this migration on. Lower than `version`: the
   * code that is replaced runs beside the migration, and again after a rollback.
   */
  oldestCode: number
  run(work: MigrationWork): Promise<void>
}

export interface MigrationWork {
  db: Db
  /** aborted when the lease is lost; to be checked before each step */
  signal: AbortSignal
  /** Changes the documents of a collection in batches. Continues where an earlier attempt was interrupted. */
  rewrite(step: Rewrite): Promise<void>
}

export interface Rewrite {
  collection: string
  /** the fields that `change` gets, besides `_id` */
  reads: readonly string[]
  /**
   * A document is changed only if the fields that were read are still the same; otherwise it is read again.
   * @returns undefined for a document that has the new form
   */
  change(document: Document): UpdateFilter<Document> | undefined
}

/** The version of the database that this code expects: that of its last migration. */
export function codeVersion(migrations: readonly Migration[]): number {
  return migrations.length + 1
}

/** @throws Error if the versions have a gap, or the code of the release before could not run beside a migration */
export function checkMigrations(migrations: readonly Migration[]): void {
  for (const [index, { version, name, oldestCode }] of migrations.entries()) {
    if (version !== index + 2) throw new Error(`migration "${name}" has version ${version} instead of ${index + 2}`)
    if (oldestCode < 1 || oldestCode >= version)
      throw new Error(`migration ${version} "${name}": oldestCode is 1 to ${version - 1}`)
  }
}
