import { supplyUpdated } from '@partsbus/contracts/events'
import { streams } from '@partsbus/contracts/streams'
import { ensureStream, publishEvent } from '@partsbus/platform/bus/streams'
import type { Log } from '@partsbus/platform/process/log'
import type { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import type { NatsConnection } from '@nats-io/transport-node'
import { splitItems, type SupplyFact } from './supply-fact.js'
import type { Place, SupplyChange } from './supply.js'
import type { SupplyStore } from './supply-store.js'

export interface SupplyEventsOptions {
  nc: NatsConnection
  log: Log
  outbox: OutboxStore
  supplies: SupplyStore
  /** how often notes that were left are looked for */
  sweepEveryMs?: number
  /** age of a note whose process did not get to publish it; well above the time a batch takes */
  overdueMs?: number
}

interface Note extends Place {
  erp_ids: string[]
}

const NOTE_KIND = supplyUpdated.subject

/*
 * `stock.supply.updated`, at least once: noted (before the write) → written → published → note deleted.
 * A process that is killed, or a stream that is away, leaves the note; a sweeper of any replica then publishes
 * the quantities as they stand, under a `batch` of its own, so that nobody takes it for one already seen.
 */
export class SupplyEvents {
  private readonly options: Required<SupplyEventsOptions>
  private readonly underway = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | undefined
  private hasStream = false
  private stopped = false
  private sweeping: Promise<void> | undefined

  constructor(options: SupplyEventsOptions) {
    this.options = { sweepEveryMs: 5_000, overdueMs: 15_000, ...options }
  }

  /** Says that supplies of these products are about to change. */
  note(batch: string, place: Place, erpIds: string[]): Promise<void> {
    const note: Note = { storage_id: place.storage_id, pick_up_point_id: place.pick_up_point_id, erp_ids: erpIds }
    return this.options.outbox.add(batch, NOTE_KIND, note)
  }

  /** Tells what was written. Nobody waits for it: the note is kept until the stream has it. */
  publish(batch: string, place: Place, changes: readonly SupplyChange[]): void {
    const work = this.send(batch, place, changes)
      .then(() => this.options.outbox.markPublished(batch))
      .catch((error: unknown) => this.options.log.warn({ err: error, batch }, 'event left for the sweeper'))
      .finally(() => this.underway.delete(work))
    this.underway.add(work)
  }

  /** Takes a note back: nothing will be written. */
  withdraw(batch: string): void {
    this.options.outbox.markPublished(batch)
  }

  start(): void {
    const pass = (): void => {
      this.sweeping = this.sweep()
        .catch((error: unknown) => this.options.log.warn({ err: error }, 'events wait'))
        .finally(() => {
          if (!this.stopped) this.timer = setTimeout(pass, this.options.sweepEveryMs * (0.75 + Math.random() / 2))
        })
    }
    pass()
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.sweeping
    await Promise.all(this.underway)
    await this.options.outbox
      .flush()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'notes left for the sweeper'))
  }

  /** Publishes what should have been published by now. */
  async sweep(): Promise<void> {
    const { outbox, supplies, nc, overdueMs } = this.options
    if (!this.hasStream) await ensureStream(nc, streams.events, 'events')
    this.hasStream = true
    await outbox.relay({
      olderThanMs: overdueMs,
      isStopped: () => this.stopped,
      failed: (err, { _id }) => this.options.log.warn({ err, batch: _id }, 'event not published, will retry'),
      publish: async (note) => {
        if (note.kind !== NOTE_KIND) return false
        const { erp_ids, ...place } = JSON.parse(note.payload) as Note
        await this.send(`${note._id}-again`, place, await supplies.quantities(place, erp_ids))
        return true
      },
    })
  }

  private async send(batch: string, place: Place, facts: readonly SupplyFact[]): Promise<void> {
    const at = new Date().toISOString()
    const { storage_id, pick_up_point_id } = place
    for (const [part, items] of splitItems(facts).entries()) {
      const id = part === 0 ? batch : `${batch}-${part}`
      await publishEvent(
        this.options.nc,
        supplyUpdated,
        { batch: id, at, storage_id, pick_up_point_id, items },
        id,
      ).catch((error: unknown) => {
        // the bus may have come back without its streams; the next sweep looks
        this.hasStream = false
        throw error
      })
    }
  }
}
