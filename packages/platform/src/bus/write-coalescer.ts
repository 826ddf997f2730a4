import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'

interface Publication {
  subject: string
  data: Uint8Array
  options: { reply?: string; headers?: MsgHdrs }
  failed: (error: unknown) => void
}

/**
 * Sends all messages that were published in one turn of the event loop with one write to the socket. The client writes
 * once per turn of the microtask queue, under load once per message, and the write is the largest cost of a small one.
 */
export class WriteCoalescer {
  private readonly connection: () => NatsConnection
  private queued: Publication[] = []

  constructor(connection: () => NatsConnection) {
    this.connection = connection
  }

  /** @param failed called when the message cannot be sent: too large, or the connection is closed */
  push(subject: string, data: Uint8Array, options: Publication['options'], failed: Publication['failed']): void {
    if (this.queued.push({ subject, data, options, failed }) === 1) setImmediate(() => this.flush())
  }

  /** Sends the queued messages now. */
  flush(): void {
    const queued = this.queued
    this.queued = []
    for (const { subject, data, options, failed } of queued) {
      try {
        this.connection().publish(subject, data, options)
      } catch (error) {
        failed(error)
      }
    }
  }
}
