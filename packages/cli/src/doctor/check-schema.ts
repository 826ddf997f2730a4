import type { SchemaVersion } from '@partsbus/platform/mongo/schema-store'
import type { Db } from 'mongodb'
import type { Diagnosis } from './finding.js'
import type { ServiceName } from './services.js'

/** The versions of the databases that the code of this release expects (docs/upgrading.md). */
export const codeVersions: Readonly<Record<ServiceName, number>> = {
  administration: 1,
  catalog: 1,
  stock: 1,
  'pricing-import': 1,
  'supplier-search': 1,
}

/** Undefined for a database that no service of a release with versions has used. */
export async function readSchema(db: Db): Promise<SchemaVersion | undefined> {
  return (await db.collection<SchemaVersion>('schema_version').findOne({ _id: 'schema' })) ?? undefined
}

/** Compares the version of a database with that of this release. */
export async function checkSchema(service: ServiceName, db: Db): Promise<Diagnosis[]> {
  const schema = await readSchema(db)
  const code = codeVersions[service]
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
      advice: 'Finish the upgrade to the newer release, or restore a backup from before it (docs/upgrading.md).',
    },
  ]
}
