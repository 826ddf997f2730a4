import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileDriver, NamedBytes } from './file-driver.js'

/** Files in a folder that all replicas share, in subfolders by the first letters of their names. */
export class FolderFiles implements FileDriver {
  private readonly root: string

  constructor(root: string) {
    this.root = root
  }

  async prepare(): Promise<void> {
    await mkdir(this.root, { recursive: true })
    await access(this.root, constants.R_OK | constants.W_OK)
  }

  async write(files: NamedBytes[]): Promise<void> {
    await Promise.all(files.map((file) => this.writeOne(file)))
  }

  private async writeOne({ name, bytes }: NamedBytes): Promise<void> {
    const path = this.pathOf(name)
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomUUID()}`
    try {
      const file = await open(draft, 'wx')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    // the name is durable only when its folder is
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = await open(this.pathOf(name), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (!file) return undefined
    try {
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  private pathOf(name: string): string {
    return join(this.root, name.slice(0, 2), name.slice(2, 4), name)
  }
}
