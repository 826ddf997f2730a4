import { write, writeSync } from 'node:fs'

/** Lines are written in blocks of this size, or at the next `flush`. A killed process loses at most one block. */
const BLOCK_BYTES = 8_192
/** Lines that cannot be written are collected up to this size, then dropped. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/**
 * Writes lines to a file descriptor, asynchronously and in blocks.
 * idle → writing → idle. A write that fails (a full disk, a slow pipe) is repeated by the next `flush`.
 *
 * It replaces the destination of pino, which emits the failure as an `error` event and ends the process, and which
 * repeats the write forever at its exit while the disk is full.
 */
export class LogDestination {
  private readonly descriptor: number
  private lines: string[] = []
  private length = 0
  private unwritten: Buffer = Buffer.alloc(0)
  private isWriting = false
  private dropped = 0

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  write(line: string): void {
    if (this.length + line.length > MAX_CHARACTERS) {
      this.dropped += 1
      return
    }
    this.lines.push(line)
    this.length += line.length
    // after a failure the next attempt is that of `flush`
    if (this.length >= BLOCK_BYTES && this.unwritten.length === 0) this.flush()
  }

  flush(): void {
    if (this.isWriting || !this.takeLines()) return
    this.isWriting = true
    write(this.descriptor, this.unwritten, (error, written) => {
      this.isWriting = false
      if (error) return
      this.unwritten = this.unwritten.subarray(written)
      if (this.unwritten.length > 0 || this.length >= BLOCK_BYTES) this.flush()
    })
  }

  /** Writes the rest at the exit of the process; lines that cannot be written now are lost. */
  flushSync(): void {
    try {
      while (this.takeLines()) this.unwritten = this.unwritten.subarray(writeSync(this.descriptor, this.unwritten))
    } catch {
      // the disk is full, or the reader of the log has closed it
    }
  }

  /** @returns the number of lines dropped since the last call */
  countDropped(): number {
    const count = this.dropped
    this.dropped = 0
    return count
  }

  /** Moves the lines to the block to be written, unless there is one. @returns whether there is a block */
  private takeLines(): boolean {
    if (this.unwritten.length === 0 && this.lines.length > 0) {
      this.unwritten = Buffer.from(this.lines.join(''))
      this.lines = []
      this.length = 0
    }
    return this.unwritten.length > 0
  }
}
