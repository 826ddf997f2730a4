import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishEvent } from '@partsbus/platform/bus/streams'
import { LONGEST_WRITE_MS } from '@partsbus/platform/mongo/connection'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { type BatchEventKind, type EventMessage, eventMessages } from './event-messages.js'

/**
 * ERP id, whether it is created, the changed fields, and its new revision (missing in entries of earlier versions).
 * Short: a batch has thousands of items.
 */
export type EntryItem = [erpId: string, isCreated: 0 | 1, changed: string[], rev?: number]

/** The planned write of one item. */
export interface PlannedItem {
  erpId: string
  isCreated: boolean
  changed: string[]
  rev: number
}

/** The finished write of one item. */
export interface PublishedItem {
  id: number
  isWritten: boolean
  isCreated: boolean
  changed: string[]
}

/** A batch begins no write later than this after it recorded its entry. */
const WRITE_WINDOW_MS = 45_000
/** Two clocks measure the age of an entry: that of its process, and that of the database. */
const MARGIN_MS = 15_000
/** The batch of an older entry cannot write any more. */
export const ABANDONED_AFTER_MS = WRITE_WINDOW_MS + LONGEST_WRITE_MS + MARGIN_MS

/** Records and publishes the events of batches. */
@Injectable()
export class EventOutbox implements OnApplicationShutdown {
  constructor(
    private readonly outbox: OutboxStore,
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
  ) {}

  openEntry(kind: BatchEventKind, batch: string): BatchEntry {
    return new BatchEntry(this, this.outbox, kind, batch)
  }

  /** Publishes one message after the other. @throws when the stream cannot be reached */
  async publish(messages: readonly EventMessage[]): Promise<void> {
    for (const { event, payload, id } of messages) await publishEvent(this.bus.nc, event, payload, id)
  }

  /** Publishes the messages of a batch while its caller is answered; the relay repeats what fails. */
  publishInBackground(batch: string, messages: readonly EventMessage[]): void {
    this.outbox.publishInBackground(batch, this.publish(messages), (error) =>
      this.log.warn({ err: error, batch }, 'events not published, will retry'),
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.outbox.drain().catch(() => undefined)
  }
}

/*
 * The events of one batch: opened → recorded (before the first write) → published → deleted.
 * A batch that changes nothing visible is never recorded and publishes nothing (rules.md#events-once).
 */
export class BatchEntry {
  private readonly at = new Date()
  private recordedAt: number | undefined

  constructor(
    private readonly events: EventOutbox,
    private readonly outbox: OutboxStore,
    private readonly kind: BatchEventKind,
    private readonly batch: string,
  ) {}

  /** @throws AppError OVERLOADED if the relay may soon take the batch for a dead one, so that it must not write */
  readonly assertInTime = (): void => {
    if (this.recordedAt !== undefined && performance.now() - this.recordedAt > WRITE_WINDOW_MS)
      throw new AppError('OVERLOADED', texts.unavailable)
  }

  async record(planned: Iterable<PlannedItem>): Promise<void> {
    const items: EntryItem[] = []
    for (const { erpId, isCreated, changed, rev } of planned)
      if (isCreated || changed.length > 0) items.push([erpId, isCreated ? 1 : 0, changed, rev])
    if (items.length === 0) return
    this.recordedAt = performance.now()
    await this.outbox.add(this.batch, this.kind, items)
  }

  /** @param outcomes by ERP id */
  publishInBackground(outcomes: ReadonlyMap<string, PublishedItem>): void {
    if (this.recordedAt === undefined) return
    const items = [...outcomes].flatMap(([erp_id, { id, isWritten, isCreated, changed }]) =>
      isWritten ? [{ id, erp_id, created: isCreated, changed }] : [],
    )
    this.events.publishInBackground(this.batch, eventMessages(this.kind, this.batch, this.at, items))
  }
}
