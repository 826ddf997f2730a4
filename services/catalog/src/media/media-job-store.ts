import { Injectable } from '@nestjs/common'
import type { MediaJob } from '@partsbus/contracts/catalog/media'
import type { KeysetRequest } from '@partsbus/contracts/paging'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { escapePattern } from '@partsbus/platform/mongo/contains-text'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { currentRequestOrigin } from '@partsbus/platform/process/spans'
import { type AnyBulkWriteOperation, type Collection, Db, type Filter } from 'mongodb'
import { LIST_TIMEOUT_MS } from '../items/item-store.js'
import { type MediaSet, mediaSetId, type RequestedImage, UNCLAIMED } from './media-set.js'

/** One image and the set that it belongs to. */
export interface FoundImage {
  set: Pick<MediaSet, '_id' | 'item' | 'erp_id' | 'updated_at'>
  image: RequestedImage
}

export interface MediaJobFilter {
  statuses: Array<MediaJob['status']>
  /** of the item */
  erpId?: string | undefined
  /** of the address */
  host?: string | undefined
}

/** Sets that one step of {@link MediaJobStore.rearmFailed} reads and writes. */
const REARMED_AT_ONCE = 500

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
    { statuses, erpId, host }: MediaJobFilter,
    { page, per_page, after_id }: KeysetRequest,
  ): Promise<{ found: FoundImage[]; total: number }> {
    const after = after_id === undefined ? {} : { 'images.id': { $gt: after_id } }
    const set = { undone: true, ...(erpId !== undefined && { _id: { $in: setIds(erpId) } }) }
    const image = { 'images.status': { $in: statuses }, ...(host !== undefined && { 'images.url': urlOfHost(host) }) }
    const options = { maxTimeMS: LIST_TIMEOUT_MS }
    const [found, count] = await Promise.all([
      this.sets
        .aggregate<Omit<MediaSet, 'images'> & { images: RequestedImage }>(
          [
            { $match: { ...set, ...after } },
            { $sort: { 'images.id': 1 } },
            { $unwind: '$images' },
            { $match: { ...image, ...after } },
            { $skip: after_id === undefined ? (page - 1) * per_page : 0 },
            { $limit: per_page },
          ],
          options,
        )
        .toArray(),
      this.sets
        .aggregate<{ total: number }>(
          [{ $match: set }, { $unwind: '$images' }, { $match: image }, { $group: { _id: null, total: { $sum: 1 } } }],
          options,
        )
        .toArray(),
    ])
    return { found: found.map(({ images: image, ...set }) => ({ set, image })), total: count[0]?.total ?? 0 }
  }

  /**
   * Makes failed images wait for their first attempt again, set by set, until `limit` images are reached.
   * @param isLate whether the caller stops waiting
   * @param onRearmed gets the ids of the sets that need a worker
   */
  async rearmFailed(
    { host, limit }: { host: string | undefined; limit: number },
    allowedHosts: string[],
    { isLate, onRearmed }: { isLate: () => boolean; onRearmed: (setIds: string[]) => void },
  ): Promise<number> {
    const matches = host === undefined ? { status: 'failed' } : { status: 'failed', url: urlOfHost(host) }
    const isOfHost = host === undefined ? undefined : new RegExp(urlOfHost(host).$regex, 'i')
    const isRetried = ({ status, url }: RequestedImage) => status === 'failed' && (isOfHost?.test(url) ?? true)
    let retried = 0
    let lastId = ''
    while (retried < limit && !isLate()) {
      const sets = await this.sets
        .find({ undone: true, images: { $elemMatch: matches }, _id: { $gt: lastId } } as Filter<MediaSet>, {
          maxTimeMS: LIST_TIMEOUT_MS,
        })
        .sort({ _id: 1 })
        .limit(REARMED_AT_ONCE)
        .toArray()
      const rearmed: Array<Pick<MediaSet, '_id' | 'rev' | 'images'>> = []
      for (const { _id, rev, images } of sets) {
        const count = images.filter(isRetried).length
        if (retried + count > limit) break
        retried += count
        rearmed.push({
          _id,
          rev,
          images: images.map((image) => (isRetried(image) ? { ...image, status: 'pending', attempts: 0 } : image)),
        })
      }
      if (rearmed.length === 0) break
      // a set that was requested again meanwhile is fetched anyway
      const operations = rearmed.map(({ _id, rev, images }) => rearmOne({ _id, rev }, images, allowedHosts))
      await retryConflicts(() => this.sets.bulkWrite(operations, { ordered: false }))
      onRearmed(rearmed.map(({ _id }) => _id))
      if (rearmed.length < sets.length || sets.length < REARMED_AT_ONCE) break
      lastId = sets.at(-1)?._id ?? ''
    }
    return retried
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
          $set: {
            images,
            allowed_hosts: allowedHosts,
            retry_at: new Date(0),
            owner: UNCLAIMED,
            updated_at,
            ...currentRequest(),
          },
          $currentDate: { due_at: true },
        },
      )
      if (matchedCount > 0) return { set: { ...set, updated_at }, image: fresh }
    }
  }
}

function rearmOne(
  set: Pick<MediaSet, '_id' | 'rev'>,
  images: RequestedImage[],
  allowed_hosts: string[],
): AnyBulkWriteOperation<MediaSet> {
  return {
    updateOne: {
      filter: { _id: set._id, rev: set.rev },
      update: {
        $inc: { rev: 1 },
        $set: {
          images,
          allowed_hosts,
          retry_at: new Date(0),
          owner: UNCLAIMED,
          updated_at: new Date(),
          ...currentRequest(),
        },
        $currentDate: { due_at: true },
      },
    },
  }
}

/** Failures of the new attempts are logged under the id of the request that asked for them. */
function currentRequest(): Pick<MediaSet, 'request_id' | 'request_origin'> {
  const scope = currentScope()
  return scope ? { request_id: scope.requestId, request_origin: currentRequestOrigin() } : {}
}

/** The sets that an item of this ERP id may have. */
function setIds(erpId: string): string[] {
  return [mediaSetId('category', erpId), mediaSetId('product', erpId)]
}

/** Addresses of a host, in upper or lower case, with any port unless the host names one. */
function urlOfHost(host: string): { $regex: string; $options: string } {
  const port = /:\d+$/.test(host) ? '' : '(:\\d+)?'
  return { $regex: `^https?://([^/?#@]*@)?${escapePattern(host)}${port}([/?#]|$)`, $options: 'i' }
}
