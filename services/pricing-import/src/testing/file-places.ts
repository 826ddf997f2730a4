import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesIn, startTestS3 } from '@partsbus/local-stack/test-s3'
import type { Db } from 'mongodb'
import type { PricingImportConfig } from '../config.js'

/** A file storage: the configuration of the service, and the number of stored bytes. */
export interface FilePlace {
  config: Partial<PricingImportConfig>
  bytes(db: Db): Promise<number>
}

/** One place of each kind: the database, a folder, and a bucket of a server that speaks S3. */
export async function openFilePlaces(): Promise<{
  places: Record<'gridfs' | 'fs' | 's3', FilePlace>
  close(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-files-'))
  const s3 = await startTestS3()
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
        config: { STORAGE_DRIVER: 's3', S3_PREFIX: 'shop/', ...s3.config },
        bytes: () => Promise.resolve(s3.storedBytes()),
      },
    },
    async close() {
      await s3.close()
      rmSync(folder, { recursive: true })
    },
  }
}
