import { Counts } from '@partsbus/platform/async/counts'
import { hostOf, type MediaSet } from './media-set.js'

/** Images of claimed sets in one process; further sets are left to other processes. `ofOne`: one host. */
const CLAIMED_IMAGES = { images: 1_600, ofOne: 400 }
/** Ids that are remembered; the sweep finds the others. */
const MAX_HELD_BACK = 10_000
const CLAIMED_AT_ONCE = 50

/**
 * Shares the claims of a process among the hosts of images, so that a slow host with thousands of images leaves room
 * for the others (rules.md#overload). Sets of a host without room are held back until half its share is free. A claim
 * may exceed the share of a host by its own sets, which take no room of other hosts.
 */
export class ClaimedImages {
  private readonly claimed = new Counts()
  /** ids of sets, by host, the next one at the front */
  private readonly heldBack = new Map<string, string[]>()
  private countHeldBack = 0

  hasRoom(): boolean {
    let images = 0
    for (const host of this.claimed.keys()) images += Math.min(this.claimed.of(host), CLAIMED_IMAGES.ofOne)
    return images < CLAIMED_IMAGES.images
  }

  fullHosts(): string[] {
    return this.claimed.keys().filter((host) => this.claimed.of(host) >= CLAIMED_IMAGES.ofOne)
  }

  /** @returns what gives the room of the set back */
  add(set: MediaSet): () => void {
    const hosts = set.images.filter(({ status }) => status === 'pending').map(({ url }) => hostOf(url))
    // a set without downloads takes room as well
    if (hosts.length === 0) hosts.push('')
    for (const host of hosts) this.claimed.add(host)
    return () => {
      for (const host of hosts) this.claimed.add(host, -1)
    }
  }

  holdBack(host: string, setId: string): void {
    if (this.countHeldBack >= MAX_HELD_BACK) return
    this.countHeldBack += 1
    const ids = this.heldBack.get(host)
    if (ids) ids.push(setId)
    else this.heldBack.set(host, [setId])
  }

  /** Sets of one host that has room again; hosts take turns. */
  takeHeldBack(): string[] {
    for (const [host, ids] of this.heldBack) {
      if (this.claimed.of(host) > CLAIMED_IMAGES.ofOne / 2) continue
      const taken = ids.splice(0, CLAIMED_AT_ONCE)
      this.countHeldBack -= taken.length
      this.heldBack.delete(host)
      if (ids.length > 0) this.heldBack.set(host, ids)
      return taken
    }
    return []
  }
}
