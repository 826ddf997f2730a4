import { type ChangeKind, changeKinds } from '@partsbus/contracts/pricing-import/change-kinds'
import type { ChangeCounts } from '@partsbus/contracts/pricing-import/version-change'

/** A change as it is kept: where the row is in either version; 0: it is not there. */
export interface ChangedPlaces {
  kind: ChangeKind
  old: number
  new: number
}

/** 1 + 4 + 4 of each change. */
const BYTES = 9

/** The changes between two versions in their order, as places: nine bytes each, whatever the rows hold. */
export class OfferChanges {
  private kinds: Uint8Array
  private olds: Uint32Array
  private news: Uint32Array
  private length = 0
  readonly counts: ChangeCounts = {
    added: 0,
    gone: 0,
    dearer: 0,
    cheaper: 0,
    price_added: 0,
    price_gone: 0,
    other: 0,
    unchanged: 0,
  }

  /** @param most changes that may be added; memory is used as they are */
  constructor(most: number) {
    this.kinds = new Uint8Array(most)
    this.olds = new Uint32Array(most)
    this.news = new Uint32Array(most)
  }

  get bytes(): number {
    return this.length * BYTES
  }

  add(kind: ChangeKind, oldPlace: number, newPlace: number): void {
    this.kinds[this.length] = changeKinds.indexOf(kind)
    this.olds[this.length] = oldPlace
    this.news[this.length] = newPlace
    this.counts[kind] += 1
    this.length += 1
  }

  /** Gives back the memory of the changes that were not added. */
  trim(): this {
    this.kinds = this.kinds.slice(0, this.length)
    this.olds = this.olds.slice(0, this.length)
    this.news = this.news.slice(0, this.length)
    return this
  }

  total(kind: ChangeKind | undefined): number {
    return kind === undefined ? this.length : this.counts[kind]
  }

  /** The position behind the first `count` changes of a kind. */
  positionAfter(count: number, kind: ChangeKind | undefined): number {
    if (kind === undefined) return Math.min(count, this.length)
    if (count >= this.counts[kind]) return this.length
    const wanted = changeKinds.indexOf(kind)
    let position = 0
    for (let left = count; left > 0; position += 1) if (this.kinds[position] === wanted) left -= 1
    return position
  }

  /** Changes of a kind from a position on. @returns `next`: where the ones behind them are looked for */
  read(position: number, limit: number, kind: ChangeKind | undefined): { changes: ChangedPlaces[]; next: number } {
    const changes: ChangedPlaces[] = []
    let next = position
    for (; next < this.length && changes.length < limit; next += 1) {
      const found = changeKinds[this.kinds[next] ?? -1]
      if (found === undefined || (kind !== undefined && found !== kind)) continue
      changes.push({ kind: found, old: this.olds[next] ?? 0, new: this.news[next] ?? 0 })
    }
    return { changes, next }
  }
}
