import { join } from 'node:path'
import type { Db } from 'mongodb'
import type { DriverName, FileStoreConfig } from './config.js'
import type { FileDriver } from './file-driver.js'
import { FolderDriver } from './folder-driver.js'
import { GridfsDriver } from './gridfs-driver.js'
import { S3Driver } from './s3-driver.js'

/** How the drivers name the files of one service. Stored files have these names: a change makes them unreadable. */
export interface FileLayout {
  /** bucket of GridFS: the collections `<bucket>.files` and `<bucket>.chunks` */
  bucket: string
  /** least digits of the number in the id of a chunk */
  chunkDigits: number
  /** folder in `STORAGE_PATH` and in the bucket of S3; empty for none */
  folder: string
  /** levels of subfolders of the `fs` driver, each named by two letters of the file's name */
  levels: number
}

export interface FileDrivers {
  /** the driver of new files */
  current: DriverName
  /** @throws Error when the driver is not configured */
  get(name: DriverName): FileDriver
}

export interface OpenOptions {
  /** false: nothing is created, as a folder whose absence is to be found; default true */
  prepare?: boolean
}

/**
 * Opens every configured driver, so that files stay readable after `STORAGE_DRIVER` changed.
 * @param path a folder that takes precedence over `STORAGE_PATH`, and makes `fs` the default driver
 * @throws Error when a variable of the current driver is missing, or files cannot be stored
 */
export async function openFileDrivers(
  db: Db,
  config: FileStoreConfig,
  layout: FileLayout,
  path?: string,
  { prepare = true }: OpenOptions = {},
): Promise<FileDrivers> {
  const { STORAGE_PATH, S3_BUCKET, S3_PREFIX } = config
  const current = config.STORAGE_DRIVER ?? (path === undefined ? 'gridfs' : 'fs')
  const folder = path ?? (STORAGE_PATH === undefined ? undefined : join(STORAGE_PATH, layout.folder))
  const prefix = `${S3_PREFIX}${layout.folder === '' ? '' : `${layout.folder}/`}`
  const drivers: Record<DriverName, FileDriver | undefined> = {
    gridfs: new GridfsDriver(db, layout.bucket, layout.chunkDigits),
    fs: folder === undefined ? undefined : new FolderDriver(folder, layout.levels),
    s3: S3_BUCKET === undefined ? undefined : new S3Driver(config, S3_BUCKET, prefix),
  }
  const driver = drivers[current]
  if (!driver)
    throw new Error(`${current === 'fs' ? 'STORAGE_PATH' : 'S3_BUCKET'} must be set when STORAGE_DRIVER is ${current}`)
  if (prepare) await driver.prepare()
  return {
    current,
    get(name) {
      const found = drivers[name]
      if (!found) throw new Error(`the file is stored by the driver ${name}, which is not configured`)
      return found
    },
  }
}
