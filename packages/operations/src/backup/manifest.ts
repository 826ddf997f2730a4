import { createHmac } from 'node:crypto'
import { secretsKey } from '@partsbus/platform/process/config'
import { z } from 'zod'
import { CommandFailed } from '@partsbus/cli/exit-codes'
import { serviceNames } from '@partsbus/contracts/diagnosis'

/**
 * How the databases are copied.
 * `mongodump`: a replica set, by mongodump --oplog.
 * `dump`: any server, through the driver, while no request writes.
 */
export const methods = ['mongodump', 'dump'] as const
export type Method = (typeof methods)[number]

const count = z.int().nonnegative()

/** Paths are relative to the folder of the backup, with forward slashes. */
const listedFile = z.object({ path: z.string().min(1), bytes: count, sha256: z.string().regex(/^[\da-f]{64}$/) })

const manifest = z.object({
  format: z.literal(1),
  id: z.uuid(),
  product: z.object({ version: z.string(), commit: z.string() }),
  method: z.enum(methods),
  /** of the database, like `MongoDB 8.0.4` */
  server: z.string(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  /** the one moment of all databases lies in it: what was acknowledged before `from` is in the backup */
  moment: z.object({ from: z.iso.datetime(), until: z.iso.datetime() }),
  databases: z.array(
    z.object({
      /** a backup by version 0.1 names the service that owned the database then */
      service: z.preprocess((name) => (name === 'gateway' ? 'administration' : name), z.enum(serviceNames)),
      name: z.string(),
      schema_version: count.nullable(),
      /** documents by collection */
      collections: z.record(z.string(), count),
      counters: z.record(z.string(), z.number()),
    }),
  ),
  /** false: counted while others wrote, shortly after the moment */
  are_counts_exact: z.boolean(),
  storage: z.object({
    driver: z.enum(['gridfs', 'fs', 's3']),
    /** objects in the bucket, which are not in the backup; null where there is no bucket */
    objects: count.nullable(),
    /** files of the folders, listed in `files.ndjson` */
    files: z.object({ count, bytes: count }),
  }),
  /** fingerprint of the key that encrypts, null when it was not named */
  secrets_key: z.string().nullable(),
  files: z.array(listedFile),
})

export type Manifest = z.infer<typeof manifest>
export type ListedFile = z.infer<typeof listedFile>

export const MANIFEST = 'manifest.json'
/** One JSON object per stored file. It is apart from the manifest because there may be millions. */
export const STORED_FILES = 'files.ndjson'

/** @throws CommandFailed for a text that is no manifest, or one of a later release */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text)
  const format = (value as { format?: unknown } | undefined)?.format
  if (typeof format === 'number' && format > 1)
    throw new CommandFailed(`The backup has format ${format}, which a later release wrote.`)
  const { success, data, error } = manifest.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw new CommandFailed(`${MANIFEST} is damaged: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
}

/** @throws CommandFailed naming the line */
export function parseListedFile(line: string, number: number): ListedFile {
  const { success, data } = listedFile.safeParse(parseJson(line))
  if (success && !data.path.split('/').includes('..')) return data
  throw new CommandFailed(`${STORED_FILES}:${number} is damaged.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of each key of SECRETS_KEY: shows whether it is that of the backup, and nothing else about it. */
export function fingerprintKeys(text: string): string[] {
  return secretsKey
    .parse(text)
    .map((key) => createHmac('sha256', key).update('partsbus backup').digest('hex').slice(0, 16))
}

export function countDocuments({ databases }: Pick<Manifest, 'databases'>): number {
  return databases.flatMap(({ collections }) => Object.values(collections)).reduce((sum, each) => sum + each, 0)
}
