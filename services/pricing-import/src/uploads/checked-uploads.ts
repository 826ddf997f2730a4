import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Inject, Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { traceStep } from '@partsbus/platform/process/spans'
import type { UploadReader } from '@partsbus/upload-store/upload-reader'
import { storeFailed } from '../files/store-failed.js'
import { FileStore, type StoredFile } from '../files/file-store.js'
import type { LocalFile } from '../files/local-file.js'
import { makeFolder, requireDiskSpace } from '../files/work-folder.js'
import { Readers } from '../reading/readers.js'
import { checkFile, checkListed, checkSize, invalidFile, UNPACKED_RATIO } from './check-file.js'

/** The `UploadReader` of the service. */
export const UPLOADS = Symbol('uploads')

/** A file that the gateway stored in the upload store. */
export interface Upload {
  object: string
  file_name: string
  /** bytes */
  size: number
  isOfPartner?: boolean
}

/** Makes uploads, once they are checked, and stored files local files. */
@Injectable()
export class CheckedUploads {
  constructor(
    @Inject(UPLOADS) private readonly uploads: UploadReader,
    private readonly files: FileStore,
    private readonly readers: Readers,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Deletes an upload without waiting for it. */
  drop(object: string): void {
    this.uploads.drop(object)
  }

  /**
   * Passes a checked upload to `work` as a local file; upload and file are deleted afterwards. Only a few uploads are
   * on this disk and in readers at a time; the others wait in the upload store.
   * @param timeLeftMs how long the caller waits
   * @throws AppError INVALID_FILE, STORE_FAILED when it cannot be fetched, or TIMEOUT when its turn does not come in
   * time
   */
  async withUpload<T>(
    upload: Upload,
    maxFileSize: number,
    timeLeftMs: number,
    work: (file: LocalFile) => Promise<T>,
  ): Promise<T> {
    try {
      checkSize(upload.size, maxFileSize)
      if (upload.isOfPartner) checkListed(upload.file_name)
      return await this.inTurn(timeLeftMs, () => this.fetchAndCheck(upload, maxFileSize, work))
    } catch (error) {
      const { file_name, size } = upload
      if (error instanceof AppError && error.code === 'INVALID_FILE')
        this.log.info({ file_name, size, details: error.details }, 'upload refused')
      if (error instanceof AppError && error.code === 'STORE_FAILED')
        this.log.error({ file_name, size, err: error.cause }, 'upload not stored')
      throw error
    } finally {
      this.uploads.drop(upload.object)
    }
  }

  /**
   * Passes a stored file to `work` as a local one, as {@link withUpload} does.
   * @throws AppError TIMEOUT, STORE_FAILED; FileNotFound
   */
  withStoredFile<T>(
    { id, name, size }: StoredFile,
    maxFileSize: number,
    timeLeftMs: number,
    work: (file: LocalFile) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(timeLeftMs, async () => {
      const folder = await orStoreFailed(makeFolder())
      try {
        await orStoreFailed(requireDiskSpace(folder, size))
        const path = join(folder, 'file')
        await this.files.copyTo(id, path)
        return await work({ path, name, maxUnpacked: maxFileSize * UNPACKED_RATIO })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  private inTurn<T>(timeLeftMs: number, work: () => Promise<T>): Promise<T> {
    return this.readers.checks.runWithin(timeLeftMs, () => new AppError('TIMEOUT', texts.timeout), work)
  }

  private async fetchAndCheck<T>(
    upload: Upload,
    maxFileSize: number,
    work: (file: LocalFile) => Promise<T>,
  ): Promise<T> {
    const folder = await orStoreFailed(makeFolder())
    try {
      await orStoreFailed(requireDiskSpace(folder, upload.size))
      const fetched = await traceStep('upload.fetch', () =>
        orStoreFailed(this.uploads.fetch(upload.object, join(folder, 'file'))),
      )
      if (!fetched) throw invalidFile('The uploaded bytes are no longer there.')
      checkSize(fetched.size, maxFileSize)
      const file = { path: fetched.path, name: upload.file_name, maxUnpacked: maxFileSize * UNPACKED_RATIO }
      await traceStep('upload.check', () => checkFile(file, this.readers.pool))
      return await work(file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function orStoreFailed<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw storeFailed(error)
  })
}
