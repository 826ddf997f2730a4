import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block, UploadWriter } from './upload-writer.js'

/** Bytes after which the disk is set to work, so that little is left to wait for at the end. */
const SYNC_BYTES = 64 * 1024 * 1024

/** Writes uploads into a folder of one machine, or of a volume that writers and reader share. */
export class FolderWriter implements UploadWriter {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** When it returns, the bytes are on the disk. */
  async put(blocks: AsyncIterable<Block>): Promise<string> {
    const name = randomUUID()
    const path = join(this.folder, name)
    await mkdir(this.folder, { recursive: true })
    const file = await open(path, 'wx')
    try {
      await write(file, blocks)
      return name
    } catch (error) {
      await unlink(path).catch(() => undefined)
      throw error
    } finally {
      await file.close().catch(() => undefined)
    }
  }

  drop(object: string): void {
    unlink(join(this.folder, object)).catch(() => undefined)
  }
}

async function write(file: FileHandle, blocks: AsyncIterable<Block>): Promise<void> {
  let unsynced = 0
  let syncing: Promise<void> | undefined
  try {
    for await (const block of blocks) {
      unsynced += await writeAll(file, block)
      if (unsynced < SYNC_BYTES || syncing) continue
      unsynced = 0
      syncing = file.datasync().finally(() => {
        syncing = undefined
      })
      // the last one, which is waited for, fails too
      syncing.catch(() => undefined)
    }
  } finally {
    await syncing?.catch(() => undefined)
  }
  await file.datasync()
}

/** A nearly full disk may write only a part of the bytes and report the error at the next write. */
async function writeAll(file: FileHandle, block: Block): Promise<number> {
  const size = block.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await file.writev(block as Buffer[])
  if (bytesWritten < size) await file.appendFile(Buffer.concat(block).subarray(bytesWritten))
  return size
}
