import type { Socket } from 'node:net'
import { AppError, texts } from '@partsbus/contracts/app-error'

/** A client must receive this much on average over each window, or its connection is closed. */
const BYTES_PER_SECOND = 16 * 1024
const WINDOW_MS = 10_000
/** When memory is used up, a transfer below this rate gives way to a new one once it has lasted for a second. */
const SLOW_BYTES_PER_SECOND = 64 * 1024
const SETTLE_MS = 1_000

interface Transfer {
  socket: Socket
  buffered: number
  startedAt: number
  sentAtStart: number
  sentAtWindow: number
}

/** Responses that are sent in chunks at the speed of their clients, and the memory that their chunks take. */
export class Transfers {
  private readonly maxBytes: number
  private readonly windowMs: number
  private readonly active = new Set<Transfer>()
  private bytes = 0
  private timer: NodeJS.Timeout | undefined

  constructor({ bytes, windowMs = WINDOW_MS }: { bytes: number; windowMs?: number }) {
    this.maxBytes = bytes
    this.windowMs = windowMs
  }

  /**
   * Reserves memory for a transfer.
   * @param buffered bytes that it holds at most
   * @returns a function to call when it has ended
   * @throws AppError OVERLOADED when no memory is left and no transfer is slow
   */
  start(socket: Socket, buffered: number): () => void {
    while (this.bytes + buffered > this.maxBytes) {
      const slowest = this.findSlowest()
      if (!slowest) throw new AppError('OVERLOADED', texts.unavailable)
      this.close(slowest)
    }
    const sent = sentBytes(socket)
    const transfer = { socket, buffered, startedAt: performance.now(), sentAtStart: sent, sentAtWindow: sent }
    this.active.add(transfer)
    this.bytes += buffered
    this.timer ??= setInterval(() => this.closeSlow(), this.windowMs).unref()
    return () => this.end(transfer)
  }

  private end(transfer: Transfer): void {
    if (!this.active.delete(transfer)) return
    this.bytes -= transfer.buffered
    if (this.active.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private close(transfer: Transfer): void {
    this.end(transfer)
    transfer.socket.destroy()
  }

  private findSlowest(): Transfer | undefined {
    const now = performance.now()
    let slowest: Transfer | undefined
    let lowest = SLOW_BYTES_PER_SECOND
    for (const transfer of this.active) {
      const lasted = now - transfer.startedAt
      const rate = ((sentBytes(transfer.socket) - transfer.sentAtStart) * 1_000) / lasted
      if (lasted < SETTLE_MS || rate >= lowest) continue
      lowest = rate
      slowest = transfer
    }
    return slowest
  }

  private closeSlow(): void {
    const now = performance.now()
    for (const transfer of this.active) {
      const sent = sentBytes(transfer.socket)
      const isSlow = sent - transfer.sentAtWindow < (BYTES_PER_SECOND * this.windowMs) / 1_000
      transfer.sentAtWindow = sent
      if (isSlow && now - transfer.startedAt >= this.windowMs) this.close(transfer)
    }
  }
}

/** Bytes that the operating system has accepted. */
function sentBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
