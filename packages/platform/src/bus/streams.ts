import type { DomainEvent } from '@partsbus/contracts/message'
import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { z } from 'zod'

/** A stream as `contracts/streams.ts` describes it. */
export interface StreamPlan {
  readonly name: string
  readonly subjects: readonly string[]
  readonly maxBytes: number
  readonly maxAgeMs?: number
}

/** Creates or updates a stream; many replicas may do so at once. Work queues drop a message when it is acknowledged. */
export async function ensureStream(nc: NatsConnection, plan: StreamPlan, kind: 'events' | 'work'): Promise<void> {
  const manager = await jetstreamManager(nc)
  const config = {
    name: plan.name,
    subjects: [...plan.subjects],
    storage: StorageType.File,
    retention: kind === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: kind === 'work' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_bytes: plan.maxBytes,
    max_age: (plan.maxAgeMs ?? 0) * 1_000_000,
  }
  await manager.streams.add(config).catch(() => manager.streams.update(plan.name, config))
}

/**
 * Publishes a fact and waits until the stream has it.
 * @param id repeated messages with one id are stored once within the stream's duplicate window
 */
export async function publishEvent<E extends DomainEvent>(
  nc: NatsConnection,
  event: E,
  payload: z.infer<E['payload']>,
  id: string,
): Promise<void> {
  await jetstream(nc).publish(event.subject, Buffer.from(JSON.stringify(payload)), { msgID: id, timeout: 5_000 })
}
