import type { MediaConfig } from '../config.js'
import type { FileDriver } from './file-driver.js'
import { FolderFiles } from './folder-files.js'
import { GridfsStore } from './gridfs-store.js'
import { S3Files } from './s3-files.js'

/** The configured driver. */
export function openFiles(db: ConstructorParameters<typeof GridfsStore>[0], config: MediaConfig): FileDriver {
  switch (config.STORAGE_DRIVER) {
    case 'gridfs':
      return new GridfsStore(db)
    case 'fs':
      return new FolderFiles(required(config.STORAGE_PATH, 'STORAGE_PATH', 'fs'))
    case 's3':
      return new S3Files({
        bucket: required(config.S3_BUCKET, 'S3_BUCKET', 's3'),
        region: config.S3_REGION,
        endpoint: config.S3_ENDPOINT,
        prefix: config.S3_PREFIX,
        accessKeyId: config.S3_ACCESS_KEY_ID,
        secretAccessKey: config.S3_SECRET_ACCESS_KEY,
        forcePathStyle: config.S3_FORCE_PATH_STYLE,
      })
  }
}

function required(value: string | undefined, name: string, driver: string): string {
  if (value === undefined) throw new Error(`${name} must be set when STORAGE_DRIVER is ${driver}`)
  return value
}
