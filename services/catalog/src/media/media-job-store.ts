import { Injectable } from '@nestjs/common'
import type { MediaJob } from '@partsbus/contracts/catalog/media'
import type { KeysetRequest } from '@partsbus/contracts/paging'
import { type Collection, Db } from 'mongodb'
import { LIST_TIMEOUT_MS } from '../items/item-store.js'
import { type MediaSet, type RequestedImage, UNCLAIMED } from './media-set.js'

/** One image and the set that it belongs to. */
export interface FoundImage {
  set: Pick<MediaSet, '_id' | 'item' | 'erp_id' | 'updated_at'>
  image: RequestedImage
}

/** The images of the media sets, one by one. */
@Injectable()
export class MediaJobStore {
  private readonly sets: Collection<MediaSet>

  constructor(db: Db) {
    this.sets = db.collection<MediaSet>('media_sets')
  }

  /**
   * One page by id. The ids of a set's images are consecutive, so that sets in the order of their first id give images
   * in the order of their ids: only the images up to the end of the page are unwound.
   */
  async findUndone(
    statuses: Array<MediaJob['status']>,
    { page, per_page, after_id }: KeysetRequest,
  ): Promise<{ found: FoundImage[]; total: number }> {
    const isListed = { $in: ['$$image.status', statuses] }
    const after = after_id === undefined ? {} : { 'images.id': { $gt: after_id } }
    const options = { maxTimeMS: LIST_TIMEOUT_MS }
    const [found, count] = await Promise.all([
      this.sets
        .aggregate<Omit<MediaSet, 'images'> & { images: RequestedImage }>(
          [
            { $match: { undone: true, ...after } },
            { $sort: { 'images.id': 1 } },
            { $unwind: '$images' },
            { $match: { 'images.status': { $in: statuses }, ...after } },
            { $skip: after_id === undefined ? (page - 1) * per_page : 0 },
            { $limit: per_page },
          ],
          options,
        )
        .toArray(),
      this.sets
        .aggregate<{ total: number }>(
          [
            { $match: { undone: true } },
            { $project: { count: { $size: { $filter: { input: '$images', as: 'image', cond: isListed } } } } },
            { $group: { _id: null, total: { $sum: '$count' } } },
          ],
          options,
        )
        .toArray(),
    ])
    return { found: found.map(({ images: image, ...set }) => ({ set, image })), total: count[0]?.total ?? 0 }
  }

  /** Images that are not done, and when the first set with a failed one was last changed. */
  async countUndone(): Promise<{ pending: number; failed: number; failedSince: Date | null }> {
    const size = (status: string) => ({
      $size: { $filter: { input: '$images', as: 'image', cond: { $eq: ['$$image.status', status] } } },
    })
    const [counts] = await this.sets
      .aggregate<{ pending: number; failed: number; failedSince: Date | null }>(
        [
          // every id is above 0; the range makes the database use the partial index
          { $match: { undone: true, 'images.id': { $gt: 0 } } },
          { $project: { pending: size('pending'), failed: size('failed'), updated_at: 1 } },
          {
            $group: {
              _id: null,
              pending: { $sum: '$pending' },
              failed: { $sum: '$failed' },
              failedSince: { $min: { $cond: [{ $gt: ['$failed', 0] }, '$updated_at', null] } },
            },
          },
        ],
        { maxTimeMS: LIST_TIMEOUT_MS },
      )
      .toArray()
    return { pending: counts?.pending ?? 0, failed: counts?.failed ?? 0, failedSince: counts?.failedSince ?? null }
  }

  /**
   * Makes an undone image wait for its first attempt again, and fences off the worker of its set.
   * @returns undefined when there is no undone image of that id
   */
  async rearm(id: number, allowedHosts: string[]): Promise<FoundImage | undefined> {
    for (;;) {
      const set = await this.sets.findOne({ 'images.id': id, undone: true })
      const image = set?.images.find((one) => one.id === id)
      if (!set || !image || image.status === 'done') return undefined
      const fresh: RequestedImage = { ...image, status: 'pending', attempts: 0 }
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
