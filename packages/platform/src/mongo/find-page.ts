import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Collection, Document, Filter, FindOptions, Sort, WithId } from 'mongodb'

/** One page of the documents that match a filter, and the number of all of them (admin.md#lists). */
export async function findPage<T extends Document, Row>(
  collection: Collection<T>,
  filter: Filter<T>,
  sort: Sort,
  { page, per_page }: PageRequest,
  toRow: (document: WithId<T>) => Row,
  options: Pick<FindOptions, 'projection'> = {},
): Promise<Page<Row>> {
  const [documents, total] = await Promise.all([
    collection
      .find(filter, options)
      .sort(sort)
      .skip((page - 1) * per_page)
      .limit(per_page)
      .toArray(),
    collection.countDocuments(filter),
  ])
  return { data: documents.map((document) => toRow(document)), total, page, per_page }
}
