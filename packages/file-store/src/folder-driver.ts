import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type FileDriver, FileNotFound, type NamedBytes } from './file-driver.js'

/**
 * Files in a folder that all replicas share. A file is written under a draft name, synced, renamed, and its folder is
 * synced. A local file of the same file system is linked instead of copied.
 */
export class FolderDriver implements FileDriver {
  private readonly root: string

  /** @param levels of subfolders, each named by the next two letters of the file's name */
  constructor(
    root: string,
    private readonly levels: number,
  ) {
    this.root = resolve(root)
  }

  async prepare(): Promise<void> {
    await mkdir(this.root, { recursive: true })
    await access(this.root, constants.R_OK | constants.W_OK | constants.X_OK)
  }

  async write(files: NamedBytes[]): Promise<void> {
    await Promise.all(
      files.map(async ({ name, bytes }) => {
        const path = this.pathOf(name)
        await this.save(`${path}.${randomUUID()}`, path, (draft) => writeFile(draft, bytes, { flag: 'wx' }))
      }),
    )
  }

  writeFrom(name: string, path: string): Promise<number> {
    return this.save(this.draftOf(name), this.pathOf(name), async (draft) => {
      // the draft of a killed process may be a link to its source, which must not be overwritten
      await rm(draft, { force: true })
      await linkOrCopy(path, draft)
    })
  }

  async read(name: string, offset: number, length: number): Promise<Buffer<ArrayBuffer>> {
    const file = await open(this.pathOf(name)).catch((error: unknown) => {
      throw notFound(name, error)
    })
    try {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  async copyTo(name: string, path: string): Promise<void> {
    await linkOrCopy(this.pathOf(name), path).catch((error: unknown) => {
      throw notFound(name, error)
    })
  }

  async delete(name: string): Promise<void> {
    await Promise.all([rm(this.pathOf(name), { force: true }), rm(this.draftOf(name), { force: true })])
  }

  /** @returns the size in bytes */
  private async save(draft: string, path: string, fill: (draft: string) => Promise<void>): Promise<number> {
    await this.makeFolders(dirname(path))
    try {
      await fill(draft)
      const size = await sync(draft)
      await rename(draft, path)
      // the name survives a crash only when its folder is synced
      await sync(dirname(path))
      return size
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  /** Makes the subfolders, but not the root: a missing root is a share that is not mounted. */
  private async makeFolders(folder: string): Promise<void> {
    if (folder === this.root) return
    await this.makeFolders(dirname(folder))
    try {
      await mkdir(folder)
      await sync(dirname(folder))
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }

  private pathOf(name: string): string {
    const folders = Array.from({ length: this.levels }, (_, level) => name.slice(level * 2, level * 2 + 2))
    return join(this.root, ...folders, name)
  }

  private draftOf(name: string): string {
    return `${this.pathOf(name)}.new`
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw error
    // another file system, or one without links
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
}

/** Syncs a file or a folder. @returns its size in bytes */
async function sync(path: string): Promise<number> {
  const file = await open(path)
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function notFound(name: string, error: unknown): unknown {
  return hasCode(error, 'ENOENT') ? new FileNotFound(name, error) : error
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
