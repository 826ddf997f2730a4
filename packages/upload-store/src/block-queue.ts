import type { Block } from './upload-writer.js'

const BLOCK_BYTES = 1024 * 1024
/** Bytes that are read ahead while earlier blocks are being stored. */
const MAX_BUFFERED_BYTES = 2 * BLOCK_BYTES

/**
 * Joins the chunks of a document into blocks. The form reader pushes chunks; the upload writer iterates over blocks.
 */
export class BlockQueue implements AsyncIterable<Block> {
  private pieces: Buffer[] = []
  private bytes = 0
  private isEnded = false
  private failure: { reason: unknown } | undefined
  private wake: () => void = () => undefined
  private readonly room: () => void

  /** @param room called when more chunks may be pushed */
  constructor(room: () => void) {
    this.room = room
  }

  /** @returns false when the next chunk should wait for `room` */
  push(piece: Buffer): boolean {
    this.pieces.push(piece)
    this.bytes += piece.length
    if (this.bytes >= BLOCK_BYTES) this.wake()
    return this.bytes < MAX_BUFFERED_BYTES
  }

  end(): void {
    this.isEnded = true
    this.wake()
  }

  /** Ends the iteration with an error and discards the chunks. */
  fail(reason: unknown): void {
    this.failure ??= { reason }
    this.pieces = []
    this.bytes = 0
    this.wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Block> {
    for (;;) {
      if (this.failure) throw this.failure.reason
      if (this.bytes >= BLOCK_BYTES || (this.isEnded && this.bytes > 0)) {
        const block = this.nextBlock()
        this.room()
        yield block
      } else if (this.isEnded) return
      else
        await new Promise<void>((wake) => {
          this.wake = wake
        })
    }
  }

  private nextBlock(): Block {
    if (this.bytes <= BLOCK_BYTES) {
      const block = this.pieces
      this.pieces = []
      this.bytes = 0
      return block
    }
    const block: Buffer[] = []
    for (let left = BLOCK_BYTES; left > 0;) {
      const piece = this.pieces.shift()
      if (!piece) break
      block.push(piece.subarray(0, left))
      if (piece.length > left) this.pieces.unshift(piece.subarray(left))
      left -= Math.min(left, piece.length)
    }
    this.bytes -= BLOCK_BYTES
    return block
  }
}
