import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The bytes of files in a folder, one file each, named by its id. Every replica must see the same folder. */
export class FileFolder {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Takes over a file of this machine, which may be deleted afterwards. When it returns, the bytes are on the disk. @returns bytes */
  async take(id: number, from: string): Promise<number> {
    await mkdir(this.folder, { recursive: true })
    const fresh = `${this.pathOf(id)}.new`
    await linkOrCopy(from, fresh)
    const size = await syncFile(fresh)
    // what an earlier database left under this number is replaced
    await rename(fresh, this.pathOf(id))
    await syncFile(this.folder)
    return size
  }

  async read(id: number, offset: number, length: number): Promise<Buffer> {
    const file = await open(this.pathOf(id))
    try {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** Gives the file a second name, where that is possible; it must not be written to. */
  async copyTo(id: number, path: string): Promise<void> {
    await linkOrCopy(this.pathOf(id), path)
  }

  async delete(id: number): Promise<void> {
    for (const path of [this.pathOf(id), `${this.pathOf(id)}.new`]) await unlink(path).catch(orMissing)
  }

  private pathOf(id: number): string {
    return join(this.folder, String(id))
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await unlink(to).catch(orMissing)
  try {
    await link(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw error
    // another file system, or one without links
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
}

/** @returns bytes */
async function syncFile(path: string): Promise<number> {
  const file = await open(path)
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function orMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
