import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { busLayout, type StreamPlan } from '@partsbus/contracts/streams'
import { ensureStream } from '@partsbus/platform/bus/streams'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'

const FULL_SHARE = 0.9
/** of a stream, of a consumer */
const NOT_FOUND = new Set([10_059, 10_014])

/** What the users of the shipped configuration may see; every other user is expected to see all. */
const SEEN_BY: Record<string, readonly string[]> = {
  gateway: ['OBJ_uploads'],
  administration: [],
  catalog: ['EVENTS', 'MEDIA'],
  stock: ['EVENTS'],
  'pricing-import': ['IMPORTS', 'OBJ_uploads'],
  'supplier-search': [],
}

/** Streams with their consumers and the bucket of uploads. @param user of the bus */
export async function checkStreams(nc: NatsConnection, user?: string): Promise<RepairableFinding[]> {
  const manager = await jetstreamManager(nc, { checkAPI: false })
  const buckets: StreamPlan[] = busLayout.buckets.map(({ name, maxBytes }) => ({
    name: `OBJ_${name}`,
    subjects: [],
    retention: 'events',
    maxBytes,
  }))
  const seen = user === undefined ? undefined : SEEN_BY[user]
  const found: RepairableFinding[] = []
  for (const plan of [...busLayout.streams, ...buckets]) {
    if (seen?.includes(plan.name) === false) continue
    try {
      // only what is missing is created
      const fix = plan.subjects.length > 0 ? { fix: () => ensureStream(nc, plan) } : {}
      found.push(
        ...(await checkStream(manager, plan)).map((each) => (each.code === 'stream-full' ? each : { ...each, ...fix })),
      )
    } catch (error) {
      found.push({
        code: 'bus-permission',
        severity: 'error',
        message: `The stream ${plan.name} cannot be looked at: ${(error as Error).message}.`,
        advice: 'Compare the permissions of the user with deploy/nats/nats.conf.',
      })
    }
  }
  return found
}

async function checkStream(manager: JetStreamManager, plan: StreamPlan): Promise<RepairableFinding[]> {
  const { name, maxBytes, consumers = [] } = plan
  const severity = 'error'
  const advice = 'Run the provisioning job (docker compose up provision), or partsbus doctor --fix.'
  const bytes = await readBytes(manager, name)
  if (bytes === undefined)
    return [{ code: 'stream-missing', severity, message: `The bus lacks the stream ${name}.`, advice }]
  const found: RepairableFinding[] = []
  if (bytes > maxBytes * FULL_SHARE)
    found.push({
      code: 'stream-full',
      severity: 'warning',
      message: `The stream ${name} is filled to ${Math.round((bytes / maxBytes) * 100)} %.`,
      advice: 'Check whether its consumers run: nats stream info shows the position of each.',
    })
  for (const consumer of consumers) {
    const message = `The stream ${name} lacks the consumer ${consumer}.`
    if (!(await exists(() => manager.consumers.info(name, consumer))))
      found.push({ code: 'consumer-missing', severity, message, advice })
  }
  return found
}

async function readBytes(manager: JetStreamManager, name: string): Promise<number | undefined> {
  let bytes: number | undefined
  await exists(async () => {
    bytes = (await manager.streams.info(name)).state.bytes
  })
  return bytes
}

async function exists(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look()
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && NOT_FOUND.has(error.code)) return false
    throw error
  }
}
