import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { parseServerAddress } from '@partsbus/platform/bus/server-address'

export interface EventItem {
  erp_id?: string
  product_erp_id?: string
  [field: string]: unknown
}

export interface StreamedEvent {
  subject: string
  batch: string
  items: EventItem[]
}

/** Reads the whole stream EVENTS from its beginning, like a consumer that starts late. */
export async function readEvents(product: RunningProduct): Promise<StreamedEvent[]> {
  const url = product.busUrl()
  if (url === undefined) throw new Error('The bus does not run as a process of this machine')
  const nc = await connect({ ...parseServerAddress(url) })
  try {
    const { state } = await (await jetstreamManager(nc)).streams.info('EVENTS')
    const events: StreamedEvent[] = []
    if (state.messages === 0) return events
    const messages = await (await jetstream(nc).consumers.get('EVENTS')).consume()
    for await (const message of messages) {
      const { batch, items } = JSON.parse(new TextDecoder().decode(message.data)) as {
        batch: string
        items?: EventItem[]
      }
      events.push({ subject: message.subject, batch, items: items ?? [] })
      if (message.seq >= state.last_seq) break
    }
    return events
  } finally {
    await nc.close()
  }
}

/** How many different batches of a subject named each item. */
export function batchesByItem(events: StreamedEvent[], subject: string): Map<string, number> {
  const batches = new Map<string, Set<string>>()
  for (const event of events) {
    if (event.subject !== subject) continue
    for (const item of event.items) {
      const key = item.erp_id ?? item.product_erp_id ?? ''
      const seen = batches.get(key) ?? new Set()
      batches.set(key, seen.add(event.batch))
    }
  }
  return new Map([...batches].map(([key, seen]) => [key, seen.size]))
}
