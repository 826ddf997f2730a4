import { type ReplyOf, type RequestOf } from '@partsbus/contracts/message'
import { resolveStorages } from '@partsbus/contracts/stock'
import type { CallSettings } from '@partsbus/contracts/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import type { Budget } from './budget.js'
import type { JointReads } from './joint-reads.js'
import type { RememberedStorages } from './remembered-storages.js'
import type { AskedStorage } from './storage-answer.js'

type Wanted = RequestOf<typeof resolveStorages>

interface Known {
  reply: Buffer
  storages: AskedStorage[]
}

/** Different questions whose storages are remembered. */
const MAX_KNOWN = 1_000

/**
 * Tells which storages a question goes to (partners.md#brands-1), as the stock service tells it, and tells
 * again after each change. While that is away, those that it told last: then nobody can change them.
 */
export class AskedStorages {
  private readonly calls: BusClient
  private readonly reads: JointReads
  private readonly remembered: RememberedStorages
  private readonly fresh: InvalidatedCache<AskedStorage[]>
  private readonly known = new Map<string, Known>()

  /** @param fresh storages of which no change was told since they were read */
  constructor(
    calls: BusClient,
    reads: JointReads,
    fresh: InvalidatedCache<AskedStorage[]>,
    remembered: RememberedStorages,
  ) {
    this.calls = calls
    this.reads = reads
    this.fresh = fresh
    this.remembered = remembered
  }

  /**
   * The same list as the last time while nothing has changed, so that what is known of its storages need not be found out again.
   * @throws AppError UNAVAILABLE or TIMEOUT from the stock service
   */
  async read(wanted: Wanted, budget: Budget): Promise<AskedStorage[]> {
    if (idsOf(wanted).length === 0) return []
    const key = JSON.stringify(wanted)
    const fresh = this.fresh.get(key)
    if (fresh) return fresh
    const limit = budget.limit()
    return this.remembered.read(key, () =>
      this.reads.read(`storages ${key}`, limit, () =>
        this.fresh.read(key, async () => {
          const reply = Buffer.from(await this.calls.forward(resolveStorages, Buffer.from(key), { timeoutMs: limit }))
          const known = this.known.get(key)
          if (known?.reply.equals(reply)) return known.storages
          const { storages } = JSON.parse(reply.toString('utf8')) as ReplyOf<typeof resolveStorages>
          this.remember(key, { reply, storages: storages as AskedStorage[] })
          return storages as AskedStorage[]
        }),
      ),
    )
  }

  /** As they were the last time: good for a start that is thrown away when it was wrong, and for nothing else. */
  lastTime(wanted: Wanted): AskedStorage[] {
    return this.known.get(JSON.stringify(wanted))?.storages ?? []
  }

  private remember(key: string, known: Known): void {
    this.known.delete(key)
    this.known.set(key, known)
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value ?? '')
  }
}

/** @param points null or undefined: the storages of the setting `storages_for_crosses`; else those of the points */
export function wantedStorages(points: readonly number[] | null | undefined, settings: CallSettings): Wanted {
  // ids begin at 1; any other names an unknown point
  return points
    ? { pick_up_point_ids: points.filter((id) => id > 0) }
    : { storage_ids: [...settings.storages_for_crosses] }
}

function idsOf(wanted: Wanted): number[] {
  return 'storage_ids' in wanted ? wanted.storage_ids : wanted.pick_up_point_ids
}
