import { setTimeout as sleep } from 'node:timers/promises'
import type { DomainEvent } from '@partsbus/contracts/message'
import type { z } from 'zod'
import type { BusConnection } from './connection.js'

/** How long a sender waits until the bus has an announcement, in ms. */
const FLUSH_WAIT_MS = 200

type Payload<Event extends DomainEvent> = z.infer<Event['payload']>

/*
 * What the processes of a service tell each other over core NATS: one may be lost, and while the bus is down each
 * process knows its own alone.
 */

export function announce<Event extends DomainEvent>(
  bus: Pick<BusConnection, 'nc' | 'isUp'>,
  { subject }: Event,
  payload: Payload<Event>,
): void {
  if (bus.isUp()) bus.nc.publish(subject, JSON.stringify(payload))
}

/** As {@link announce}; resolves when the bus has it, or after a moment. */
export async function announceAndFlush<Event extends DomainEvent>(
  bus: Pick<BusConnection, 'nc' | 'isUp'>,
  event: Event,
  payload: Payload<Event>,
): Promise<void> {
  if (!bus.isUp()) return
  announce(bus, event, payload)
  await Promise.race([bus.nc.flush().catch(() => undefined), sleep(FLUSH_WAIT_MS, undefined, { ref: false })])
}

/** Receives the announcements of all processes, the own ones included, once the bus is reached. */
export function onAnnouncement<Event extends DomainEvent>(
  bus: Pick<BusConnection, 'nc' | 'reached'>,
  { subject, payload }: Event,
  receive: (announced: Payload<Event>) => void,
): void {
  const listen = (): void => {
    bus.nc.subscribe(subject, {
      callback: (error, message) => {
        const announced = error ? undefined : payload.safeParse(parse(message.string())).data
        if (announced !== undefined) receive(announced as Payload<Event>)
      },
    })
  }
  // a bus that refuses the process ends it elsewhere
  bus.reached.then(listen, () => undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
