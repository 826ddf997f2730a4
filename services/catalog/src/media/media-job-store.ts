import type { MediaJob } from '@partsbus/contracts/media'
import type { Collection, Db } from 'mongodb'
import { type MediaSet, UNCLAIMED, type WantedImage } from './media-set.js'

/** One image and the set it is in. */
export interface FoundImage {
  set: Pick<MediaSet, '_id' | 'item' | 'erp_id' | 'updated_at'>
  image: WantedImage
}

/** The images inside the sets, one by one, as an administrator sees them. */
export class MediaJobStore {
  private readonly sets: Collection<MediaSet>

  constructor(db: Db) {
    this.sets = db.collection<MediaSet>('media_sets')
  }

  async findUndone(
    statuses: Array<MediaJob['status']>,
    skip: number,
    limit: number,
  ): Promise<{ found: FoundImage[]; total: number }> {
    const images = [
      { $match: { undone: true } },
      { $unwind: '$images' },
      { $match: { 'images.status': { $in: statuses } } },
    ]
    const [page, count] = await Promise.all([
      this.sets
        .aggregate<Omit<MediaSet, 'images'> & { images: WantedImage }>(
          [...images, { $sort: { 'images.id': 1 } }, { $skip: skip }, { $limit: limit }],
          { allowDiskUse: true },
        )
        .toArray(),
      this.sets.aggregate<{ total: number }>([...images, { $count: 'total' }]).toArray(),
    ])
    return { found: page.map(({ images: image, ...set }) => ({ set, image })), total: count[0]?.total ?? 0 }
  }

  /**
   * Makes an undone image wait for its first attempt again, and whoever works on its set start anew.
   * @returns undefined when there is no undone image of that id
   */
  async rearm(id: number, allowedHosts: string[]): Promise<FoundImage | undefined> {
    for (;;) {
      const set = await this.sets.findOne({ 'images.id': id, undone: true })
      const image = set?.images.find((one) => one.id === id)
      if (!set || !image || image.status === 'done') return undefined
      const fresh: WantedImage = { ...image, status: 'pending', attempts: 0 }
      const images = set.images.map((one) => (one.id === id ? fresh : one))
      const updated_at = new Date()
      const { matchedCount } = await this.sets.updateOne(
        { _id: set._id, rev: set.rev },
        {
          $inc: { rev: 1 },
          $set: { images, allowed_hosts: allowedHosts, retry_at: new Date(0), owner: UNCLAIMED, updated_at },
          $currentDate: { due_at: true },
        },
      )
      if (matchedCount > 0) return { set: { ...set, updated_at }, image: fresh }
    }
  }
}
