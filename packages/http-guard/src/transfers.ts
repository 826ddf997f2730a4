import type { Socket } from 'node:net'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { Counts } from '@partsbus/platform/async/counts'
import { sentBytes } from './slow-readers.js'

/** When memory is used up, a transfer below this rate gives way to a new one once it has lasted for a second. */
const SLOW_BYTES_PER_SECOND = 64 * 1024
const SETTLE_MS = 1_000

interface Transfer {
  socket: Socket
  buffered: number
  caller: string | undefined
  startedAt: number
  sentAtStart: number
}

interface Start {
  /** who shares the memory with others; absent: nobody */
  caller?: string | undefined
  /** the answer is sent even when no memory is left and no transfer is slow: what it reports is done */
  mustStart?: boolean
}

/**
 * The memory of responses that are sent at the speed of their clients. Clients that read less than the minimum are
 * disconnected by `closeSlowReaders`.
 */
export class Transfers {
  private readonly maxBytes: number
  private readonly ofOne: number
  /** of each connection; with pipelining it has several */
  private readonly active = new Map<Socket, Set<Transfer>>()
  private readonly held = new Counts()
  private bytes = 0

  /** @param limits bytes of all, and of one caller */
  constructor({ bytes, ofOne = Infinity }: { bytes: number; ofOne?: number }) {
    this.maxBytes = bytes
    this.ofOne = ofOne
  }

  /**
   * Reserves memory for a transfer, until the returned function is called or the connection is closed.
   * @param buffered bytes that it holds at most
   * @returns a function to call when it has ended
   * @throws AppError OVERLOADED when no memory is left and no transfer is slow
   */
  start(socket: Socket, buffered: number, { caller, mustStart = false }: Start = {}): () => void {
    while (caller !== undefined && this.held.of(caller) + buffered > this.ofOne) {
      if (!this.closeSlowest(caller)) throw new AppError('OVERLOADED', texts.unavailable)
    }
    while (this.bytes + buffered > this.maxBytes) {
      if (this.closeSlowest()) continue
      if (mustStart) break
      throw new AppError('OVERLOADED', texts.unavailable)
    }
    const transfer = { socket, buffered, caller, startedAt: performance.now(), sentAtStart: sentBytes(socket) }
    this.add(transfer)
    return () => this.end(transfer)
  }

  private add(transfer: Transfer): void {
    const { socket, buffered, caller } = transfer
    const others = this.active.get(socket)
    if (others) others.add(transfer)
    else {
      this.active.set(socket, new Set([transfer]))
      // Node tells of the end of a response only when its turn on the connection has come
      socket.once('close', () => this.endAll(socket))
    }
    this.bytes += buffered
    if (caller !== undefined) this.held.add(caller, buffered)
  }

  private end(transfer: Transfer): void {
    const { socket, buffered, caller } = transfer
    const open = this.active.get(socket)
    if (!open?.delete(transfer)) return
    this.bytes -= buffered
    if (caller !== undefined) this.held.add(caller, -buffered)
  }

  private endAll(socket: Socket): void {
    for (const transfer of this.active.get(socket) ?? []) this.end(transfer)
    this.active.delete(socket)
  }

  /** @returns false when none is slow */
  private closeSlowest(caller?: string): boolean {
    const slowest = this.findSlowest(caller)
    if (!slowest) return false
    this.endAll(slowest)
    slowest.destroy()
    return true
  }

  private findSlowest(ofCaller: string | undefined): Socket | undefined {
    const now = performance.now()
    let slowest: Socket | undefined
    let lowest = SLOW_BYTES_PER_SECOND
    for (const [socket, transfers] of this.active) {
      const sent = sentBytes(socket)
      for (const { caller, startedAt, sentAtStart } of transfers) {
        if (ofCaller !== undefined && caller !== ofCaller) continue
        const lasted = now - startedAt
        const rate = ((sent - sentAtStart) * 1_000) / lasted
        if (lasted < SETTLE_MS || rate >= lowest) continue
        lowest = rate
        slowest = socket
      }
    }
    return slowest
  }
}
