import { constants } from 'node:fs'
import { access, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileDriver, FileGone } from './file-driver.js'

/** Files in a folder that every replica sees, one each, named by its key. Where they come from the same file system no byte is moved. */
export class FolderFiles implements FileDriver {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK)
  }

  async take(key: string, from: string): Promise<number> {
    const draft = this.draftOf(key)
    try {
      // writing over it could write into a file that it is another name of
      await rm(draft, { force: true })
      await linkOrCopy(from, draft)
      const size = await sync(draft)
      await rename(draft, this.pathOf(key))
      // the name itself is durable only when its folder is
      await sync(this.folder)
      return size
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const file = await open(this.pathOf(key)).catch((error: unknown) => {
      throw gone(key, error)
    })
    try {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  async copyTo(key: string, to: string): Promise<void> {
    await linkOrCopy(this.pathOf(key), to).catch((error: unknown) => {
      throw gone(key, error)
    })
  }

  async delete(key: string): Promise<void> {
    await Promise.all([rm(this.pathOf(key), { force: true }), rm(this.draftOf(key), { force: true })])
  }

  private pathOf(key: string): string {
    return join(this.folder, key)
  }

  private draftOf(key: string): string {
    return `${this.pathOf(key)}.new`
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    // another file system, or one without links
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
}

/** @returns bytes */
async function sync(path: string): Promise<number> {
  const file = await open(path)
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function gone(key: string, error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new FileGone(key, error) : error
}
