import type { DomainEvent } from '@partsbus/contracts/message'
import { type ObjectBucket, type StreamPlan } from '@partsbus/contracts/streams'
import {
  AckPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { z } from 'zod'
import { traceHeaders, traceMessage } from '../process/spans.js'
import { currentScope } from './call-scope.js'

const STREAM_NOT_FOUND = 10_059
const CONSUMER_NOT_FOUND = 10_014

/**
 * Makes sure that a stream and its consumers exist. Where the bus has accounts they are created by `provision`, because
 * the right to create or update a stream is the right to read every subject; a service may only look. A local bus
 * without accounts gets what is missing from the first process that needs it.
 */
export async function ensureStream(nc: NatsConnection, plan: StreamPlan): Promise<void> {
  const manager = await jetstreamManager(nc)
  try {
    await manager.streams.info(plan.name)
  } catch (error) {
    if (!isApiError(error, STREAM_NOT_FOUND)) throw error
    await manager.streams.add(streamConfig(plan, replicasFrom(process.env)))
  }
  for (const consumer of plan.consumers ?? []) {
    try {
      await manager.consumers.info(plan.name, consumer)
    } catch (error) {
      if (!isApiError(error, CONSUMER_NOT_FOUND)) throw error
      await addConsumer(manager, plan.name, consumer)
    }
  }
}

/** Creates or updates streams, consumers and buckets. Run with the rights of the provisioning user. */
export async function provisionStreams(
  nc: NatsConnection,
  layout: { streams: readonly StreamPlan[]; buckets: readonly ObjectBucket[] },
  replicas: number,
): Promise<void> {
  const manager = await jetstreamManager(nc)
  const configs = [
    ...layout.streams.map((plan) => streamConfig(plan, replicas)),
    ...layout.buckets.map((bucket) => bucketConfig(bucket, replicas)),
  ]
  for (const config of configs) {
    await manager.streams.info(config.name).then(
      () => manager.streams.update(config.name, config),
      (error: unknown) => {
        if (!isApiError(error, STREAM_NOT_FOUND)) throw error
        return manager.streams.add(config)
      },
    )
  }
  for (const { name, consumers = [] } of layout.streams) {
    for (const consumer of consumers) await addConsumer(manager, name, consumer)
  }
}

/** `STREAM_REPLICAS`: copies of each stream in a cluster. */
export function replicasFrom(env: NodeJS.ProcessEnv): number {
  const replicas = Number(env.STREAM_REPLICAS || 1)
  if ([1, 3, 5].includes(replicas)) return replicas
  throw new Error('STREAM_REPLICAS must be 1, 3 or 5')
}

function streamConfig(plan: StreamPlan, replicas: number) {
  const isQueue = plan.retention === 'work'
  return {
    name: plan.name,
    subjects: [...plan.subjects],
    storage: StorageType.File,
    // a work queue deletes a message when it is acknowledged
    retention: isQueue ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: isQueue ? DiscardPolicy.New : DiscardPolicy.Old,
    max_bytes: plan.maxBytes,
    max_age: (plan.maxAgeMs ?? 0) * 1_000_000,
    num_replicas: replicas,
  }
}

/** As `@nats-io/obj` creates the stream of a bucket. */
function bucketConfig(bucket: ObjectBucket, replicas: number) {
  return {
    name: `OBJ_${bucket.name}`,
    subjects: [`$O.${bucket.name}.C.>`, `$O.${bucket.name}.M.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_bytes: bucket.maxBytes,
    max_age: bucket.ttlMs * 1_000_000,
    num_replicas: replicas,
    allow_direct: true,
    allow_rollup_hdrs: true,
  }
}

type Streams = Awaited<ReturnType<typeof jetstreamManager>>

function addConsumer(manager: Streams, stream: string, name: string): Promise<unknown> {
  return manager.consumers.add(stream, {
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    ack_wait: 30_000_000_000,
    max_deliver: -1,
  })
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}

/**
 * Publishes an event and waits until the stream has stored it. Its header `traceparent` names the trace of the request.
 * @param id messages with the same id are stored once within the stream's duplicate window
 */
export async function publishEvent<E extends DomainEvent>(
  nc: NatsConnection,
  event: E,
  payload: z.infer<E['payload']>,
  id: string,
): Promise<void> {
  await traceMessage(event.subject, 'producer', undefined, () => {
    const traced = eventHeaders()
    const options = { msgID: id, timeout: 5_000, ...(traced && { headers: traced }) }
    return jetstream(nc).publish(event.subject, Buffer.from(JSON.stringify(payload)), options)
  })
}

function eventHeaders(): MsgHdrs | undefined {
  const pairs = traceHeaders(currentScope())
  if (pairs.length === 0) return undefined
  const made = headers()
  for (const [name, value] of pairs) made.set(name, value)
  return made
}
