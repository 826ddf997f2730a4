import type { BusConnection } from './connection.js'

/*
 * What was read stays good until it is told of a change, and for one second at most.
 * Who changes something writes it, says so on the bus, waits until the bus has taken the word, and only then answers. One server
 * gives each connection its messages in the order in which they came to it, so whoever asks after that answer is heard after the
 * word of the change. Servers of a cluster promise no such order: there the second is waited out instead.
 */

/** Longest life of what is remembered, milliseconds: so long may be believed what a process changed that died before it said so. */
const MAX_AGE_MS = 1_000
const MAX_REMEMBERED = 1_000

/** Says that something changed. Resolves when nobody who is asked from now on believes what was before. */
export async function publishInvalidation(bus: Pick<BusConnection, 'nc' | 'isUp'>, subject: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((done) => {
    timer = setTimeout(done, MAX_AGE_MS + 50)
  })
  if (!bus.isUp() || bus.nc.info?.cluster) return waited
  bus.nc.publish(subject)
  // a bus that goes away now may not have taken it
  await Promise.race([bus.nc.flush().catch(() => waited), waited])
  clearTimeout(timer)
}

interface Entry<Value> {
  value: Value
  generation: number
  /** when its reading began */
  at: number
}

/** Values that were read a moment ago, as long as nobody told of a change since their reading began. */
export class InvalidatedCache<Value> {
  private readonly bus: Pick<BusConnection, 'isUp'>
  private readonly now: () => number
  private readonly entries = new Map<string, Entry<Value>>()
  private generation = 0

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss'>,
    subject: string,
    now: () => number = () => performance.now(),
  ) {
    this.bus = bus
    this.now = now
    const forget = (): void => {
      this.generation += 1
    }
    bus.nc.subscribe(subject, { callback: forget })
    // words that were said meanwhile are lost
    bus.onLoss(forget)
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    if (entry.generation === this.generation && this.now() - entry.at <= MAX_AGE_MS) return entry.value
    this.entries.delete(key)
    return undefined
  }

  /** Reads, and remembers what was read. */
  async read(key: string, read: () => Promise<Value>): Promise<Value> {
    const { generation } = this
    const heard = this.bus.isUp()
    const at = this.now()
    const value = await read()
    if (heard && generation === this.generation) {
      this.entries.delete(key)
      this.entries.set(key, { value, generation, at })
      if (this.entries.size > MAX_REMEMBERED) this.entries.delete(this.entries.keys().next().value ?? '')
    }
    return value
  }
}
