import { join } from 'node:path'
import type { FileDriver } from './file-driver.js'
import type { DriverName, FilesConfig } from './files-config.js'
import { FolderFiles } from './folder-files.js'
import { GridfsStore } from './gridfs-store.js'
import { S3Files } from './s3-files.js'

/** The driver that new files go to, and those that earlier ones may be in. */
export interface FileDrivers {
  current: DriverName
  /** @throws Error when the configuration does not tell where that is */
  of(name: DriverName): FileDriver
}

/**
 * The drivers that the configuration tells of, and the one that it names: files from before a change of the driver stay
 * readable as long as its variables are there.
 * @throws Error for a variable that the driver needs
 */
export async function openDrivers(
  db: ConstructorParameters<typeof GridfsStore>[0],
  config: FilesConfig,
): Promise<FileDrivers> {
  const { FILES_PATH, STORAGE_PATH, S3_BUCKET } = config
  const folder = FILES_PATH ?? (STORAGE_PATH === undefined ? undefined : join(STORAGE_PATH, 'price-files'))
  const current = config.STORAGE_DRIVER ?? (FILES_PATH === undefined ? 'gridfs' : 'fs')
  const drivers = new Map<DriverName, FileDriver>([['gridfs', new GridfsStore(db)]])
  if (folder !== undefined) drivers.set('fs', new FolderFiles(folder))
  if (S3_BUCKET !== undefined) drivers.set('s3', new S3Files({ ...config, S3_BUCKET }))
  const driver = drivers.get(current)
  if (!driver)
    throw new Error(
      `${current === 'fs' ? 'FILES_PATH or STORAGE_PATH' : 'S3_BUCKET'} must be set when STORAGE_DRIVER is ${current}`,
    )
  await driver.prepare()
  return {
    current,
    of(name) {
      const found = drivers.get(name)
      if (!found)
        throw new Error(`The file was kept by the driver "${name}", of which the configuration says nothing any more`)
      return found
    },
  }
}
