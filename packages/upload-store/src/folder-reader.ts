import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { UPLOAD_BUCKET } from '@partsbus/contracts/pricing-import/commands'
import type { FetchedUpload, UploadReader } from './upload-reader.js'

/** The names that writers give; none of them leads out of the folder. */
const NAME = /^[0-9a-f-]{36}$/

/** Reads uploads from the folder of the writers. */
export class FolderReader implements UploadReader {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async fetch(object: string): Promise<FetchedUpload | undefined> {
    if (!NAME.test(object)) return undefined
    const path = join(this.folder, object)
    const found = await stat(path).catch(orMissing)
    return found && { path, size: found.size }
  }

  drop(object: string): void {
    if (NAME.test(object)) unlink(join(this.folder, object)).catch(() => undefined)
  }

  async sweep(): Promise<void> {
    for (const name of (await readdir(this.folder).catch(orMissing)) ?? []) {
      const path = join(this.folder, name)
      const found = await stat(path).catch(orMissing)
      if (NAME.test(name) && found && Date.now() - found.mtimeMs > UPLOAD_BUCKET.ttlMs)
        await unlink(path).catch(orMissing)
    }
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
