import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
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
    const names = ((await readdir(this.folder).catch(orMissing)) ?? []).filter((name) => NAME.test(name))
    if (names.length === 0) return
    const now = await this.fileSystemNow()
    for (const name of names) {
      const path = join(this.folder, name)
      const found = await stat(path).catch(orMissing)
      if (found && now - found.mtimeMs > UPLOAD_BUCKET.ttlMs) await unlink(path).catch(orMissing)
    }
  }

  /**
   * The clock that stamps the files: that of this machine may be hours ahead, and would delete uploads under way.
   */
  private async fileSystemNow(): Promise<number> {
    const path = join(this.folder, `.clock-${process.pid}`)
    await writeFile(path, '.')
    const { mtimeMs } = await stat(path)
    await unlink(path)
    return mtimeMs
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
