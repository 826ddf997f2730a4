import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from 'mongodb'
import S3rver from 's3rver'
import type { PricingImportConfig } from '../config.js'

/** A place for files: how the service is told of it, and how many bytes lie there. */
export interface FilePlace {
  config: Partial<PricingImportConfig>
  bytes(db: Db): Promise<number>
}

export const BUCKET = 'price-lists'

/** One place of each kind: the database, a folder, and a bucket of a server that speaks S3. */
export async function openFilePlaces(): Promise<{
  places: Record<'gridfs' | 'fs' | 's3', FilePlace>
  close(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-files-'))
  const objects = mkdtempSync(join(tmpdir(), 'partsbus-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: objects,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  return {
    places: {
      gridfs: {
        config: {},
        bytes: async (db) =>
          (
            await db
              .collection('price_files.chunks')
              .aggregate<{ bytes: number }>([{ $group: { _id: null, bytes: { $sum: { $binarySize: '$data' } } } }])
              .toArray()
          )[0]?.bytes ?? 0,
      },
      fs: { config: { FILES_PATH: folder }, bytes: () => Promise.resolve(bytesIn(folder)) },
      s3: {
        config: {
          STORAGE_DRIVER: 's3',
          S3_ENDPOINT: `http://127.0.0.1:${port}`,
          S3_BUCKET: BUCKET,
          S3_PREFIX: 'shop/',
          S3_ACCESS_KEY_ID: 'S3RVER',
          S3_SECRET_ACCESS_KEY: 'S3RVER',
        },
        bytes: () => Promise.resolve(bytesIn(join(objects, BUCKET), '_object')),
      },
    },
    async close() {
      await server.close()
      for (const path of [folder, objects]) rmSync(path, { recursive: true })
    },
  }
}

function bytesIn(folder: string, ending = ''): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(ending),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
