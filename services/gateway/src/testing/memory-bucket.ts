import type { Block, UploadWriter } from '@partsbus/upload-store/upload-writer'

/** An upload store in memory, which records stored, deleted and aborted uploads. */
export class MemoryBucket implements UploadWriter {
  readonly kept = new Map<string, Buffer>()
  readonly dropped: string[] = []
  brokenOff = 0
  /** set: what every put fails with, after its first bytes */
  failure: Error | undefined
  private count = 0

  async put(blocks: AsyncIterable<Block>): Promise<string> {
    const chunks: Uint8Array[] = []
    try {
      for await (const block of blocks) {
        if (this.failure) throw this.failure
        chunks.push(...block)
      }
      if (this.failure) throw this.failure
    } catch (error) {
      this.brokenOff += 1
      throw error
    }
    const name = `object-${(this.count += 1)}`
    this.kept.set(name, Buffer.concat(chunks))
    return name
  }

  drop(object: string): void {
    this.dropped.push(object)
    this.kept.delete(object)
  }

  reset(): void {
    this.kept.clear()
    this.dropped.length = 0
    this.brokenOff = 0
    this.failure = undefined
  }
}
