import type { Db } from 'mongodb'
import { codeVersion, type Migration } from '../mongo/migration.js'
import { SchemaStore } from '../mongo/schema-store.js'
import type { RepairableFinding } from './finding.js'

/** Compares the version of a database with that of this release. */
export async function checkSchema(
  service: string,
  db: Db,
  migrations: readonly Migration[],
): Promise<RepairableFinding[]> {
  const schema = await new SchemaStore(db).find()
  const code = codeVersion(migrations)
  if (!schema || schema.version === code) return []
  const versions = `The database of ${service} has schema version ${schema.version}, and this release has ${code}`
  if (schema.version < code) {
    const { running } = schema
    const progress = running ? `its migration ${running.version} (${running.name}) has begun` : 'no migration has begun'
    return [
      {
        code: 'schema-behind',
        severity: 'warning',
        message: `${versions}; ${progress}.`,
        advice: `Finish the upgrade: run the migration job of ${service}, or start it. Its log shows the progress.`,
      },
    ]
  }
  const isRefused = code < schema.oldest_code
  return [
    {
      code: 'schema-ahead',
      severity: isRefused ? 'error' : 'warning',
      message: `${versions}${isRefused ? ', which may not use it' : ''}.`,
      advice: 'Finish the upgrade to the newer release, or restore a backup from before it (docs/operate/upgrade.md).',
    },
  ]
}
