import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { supplyUpdated } from '@partsbus/contracts/events'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream, publishEvent } from '@partsbus/platform/bus/streams'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Location } from './plan-supplies.js'
import { splitItems, type SupplyEventItem } from './supply-event-items.js'
import { SupplyStore } from './supply-store.js'

/** Age at which an entry counts as abandoned by its process; well above the duration of a batch. */
const OVERDUE_MS = 15_000

/** Also entries from a process whose clock differs. */
const ANY_AGE_MS = 3_600_000
const MAX_ENTRIES = 1_000

const ENTRY_KIND = supplyUpdated.subject

interface EntryPayload extends Location {
  erp_ids: string[]
}

/**
 * Publishes `stock.supply.updated`, at least once: announced (an outbox entry, before the write) → written →
 * published → entry deleted. A process that is killed, or a stream that cannot be reached, leaves the entry; a sweep
 * of any replica then publishes the stored quantities under a `batch` of its own, so that a consumer that drops
 * repeated batches does not drop it.
 */
@Injectable()
export class SupplyEvents implements OnModuleInit {
  private hasStream = false
  private isCancelled = false

  constructor(
    @Inject(BUS) private readonly bus: Pick<BusConnection, 'nc'>,
    @Inject(LOG) private readonly log: Log,
    private readonly outbox: OutboxStore,
    private readonly supplies: SupplyStore,
  ) {}

  onModuleInit(): Promise<void> {
    return this.outbox.ensureIndexes()
  }

  /** Records that supplies of these products are about to change. */
  announce(batch: string, location: Location, erpIds: string[]): Promise<void> {
    return this.outbox.add(batch, ENTRY_KIND, toPayload(location, erpIds))
  }

  /**
   * Renews the entry of a batch until its process is done: a sweep would publish the quantities from before the write
   * and delete the entry. @returns a function that ends the renewal
   */
  renewEntry(batch: string, location: Location, erpIds: string[]): () => void {
    const timer = setInterval(() => {
      this.outbox
        .renew(batch, ENTRY_KIND, toPayload(location, erpIds))
        .catch((error: unknown) => this.log.warn({ err: error, batch }, 'outbox entry not renewed'))
    }, OVERDUE_MS / 3)
    return () => clearInterval(timer)
  }

  /**
   * Publishes the stored quantities with their revisions (rules.md#events-revision), in the background: two batches
   * may publish in another order than they wrote. The entry stays until the stream has acknowledged the event.
   * @param created what is known of some of them, which are not read
   */
  publish(
    batch: string,
    location: Location,
    productIds: readonly number[],
    created: readonly SupplyEventItem[] = [],
  ): void {
    const known = new Set(created.map(({ product_id }) => product_id))
    const work = this.supplies
      .quantities(
        location,
        productIds.filter((id) => !known.has(id)),
      )
      .then((items) => this.send(batch, location, [...created, ...items]))
    this.outbox.publishInBackground(batch, work, (error) =>
      this.log.warn({ err: error, batch }, 'event publishing failed, left to the sweep'),
    )
  }

  /** Deletes the entry of a batch that writes nothing. */
  discard(batch: string): void {
    this.outbox.markPublished(batch)
  }

  /** Publishes the events of abandoned entries. */
  async sweep(overdueMs = OVERDUE_MS): Promise<void> {
    if (!this.hasStream) await ensureStream(this.bus.nc, streams.events)
    this.hasStream = true
    await this.outbox.relay({
      olderThanMs: overdueMs,
      isStopped: () => this.isCancelled,
      failed: (err, { _id }) => this.log.warn({ err, batch: _id }, 'event not published, will retry'),
      publish: async (entry) => {
        if (entry.kind !== ENTRY_KIND || !(await this.outbox.awaitMajority(entry._id))) return false
        const { erp_ids, ...location } = JSON.parse(entry.payload) as EntryPayload
        await this.send(`${entry._id}-again`, location, await this.supplies.quantitiesByErpId(location, erp_ids))
        return true
      },
    })
  }

  /**
   * Waits until the batches that were announced for a storage or a pick-up point have written.
   * @returns false when some have not written after `timeoutMs`, at most two seconds
   */
  async awaitBatches(location: Partial<Location>, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + Math.min(timeoutMs / 2, 2_000)
    for (;;) {
      const entries = await this.outbox.overdue(-ANY_AGE_MS, MAX_ENTRIES)
      const isIdle = entries.every((entry) => entry.kind !== ENTRY_KIND || !isAt(JSON.parse(entry.payload), location))
      if (isIdle || performance.now() > end) return isIdle
      await sleep(100)
    }
  }

  /** Ends a running sweep after its current entry. */
  cancelSweep(): void {
    this.isCancelled = true
  }

  /** Waits for the events being published and deletes the entries of those that were. */
  async flush(): Promise<void> {
    await this.outbox
      .drain()
      .catch((error: unknown) => this.log.warn({ err: error }, 'outbox deletion failed, left to the sweep'))
  }

  private async send(batch: string, location: Location, items: readonly SupplyEventItem[]): Promise<void> {
    const at = new Date().toISOString()
    const { storage_id, pick_up_point_id } = location
    for (const [part, partItems] of splitItems(items).entries()) {
      const id = part === 0 ? batch : `${batch}-${part}`
      const event = { batch: id, at, storage_id, pick_up_point_id, items: partItems }
      await publishEvent(this.bus.nc, supplyUpdated, event, id).catch((error: unknown) => {
        // the bus may have come back without its streams; the next sweep creates them
        this.hasStream = false
        throw error
      })
    }
  }
}

function toPayload({ storage_id, pick_up_point_id }: Location, erpIds: string[]): EntryPayload {
  return { storage_id, pick_up_point_id, erp_ids: erpIds }
}

function isAt(payload: EntryPayload, { storage_id, pick_up_point_id }: Partial<Location>): boolean {
  return payload.storage_id === storage_id || payload.pick_up_point_id === pick_up_point_id
}
