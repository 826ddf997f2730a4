import type { AnswerOf } from '@partsbus/contracts/admin/operations'
import { admin } from '../calls/admin-client.js'
import { useCall, useRevision, useWrite } from '../calls/use-call.js'

export type ProductRow = AnswerOf<'GET /products'>['data'][number]
export type CategoryRow = AnswerOf<'GET /categories'>['data'][number]
export type PictureRow = AnswerOf<'GET /media-jobs'>['data'][number]
export type SupplyRow = AnswerOf<'GET /supplies'>['data'][number]

/** A row of the tree has its counts; a category alone has none. */
export type TreeRow = CategoryRow & {
  children?: number
  products?: number
  pending_parent_erp_id?: string | null
}

export const PER_PAGE = 50
/** A supply for each location: more than a product ever has. */
const ALL = 500

export interface ProductFilter {
  q: string
  category_id: number | undefined
  trashed: boolean
  is_active: 'true' | 'false' | undefined
  page: number
}

export function useProducts({ q, category_id, trashed, is_active, page }: ProductFilter) {
  const query = {
    ...(q !== '' && { q }),
    ...(category_id !== undefined && { category_id }),
    ...(trashed && { trashed }),
    ...(is_active !== undefined && { is_active: is_active === 'true' }),
    page,
    per_page: PER_PAGE,
  }
  return useCall('GET /products', { query })
}

export const useProduct = (id: string) => useCall('GET /products/:id', { params: { id: Number(id) } })

export const useSupplies = (product_erp_id: string) =>
  useCall('GET /supplies', { query: { product_erp_id, per_page: ALL } })

export const useSupply = (id: number) => useRevision('GET /supplies/:id', { params: { id } })

export interface SupplyChange {
  patch: Partial<Pick<SupplyRow, 'purchase_price' | 'selling_price' | 'old_price' | 'reserved' | 'shipped'>>
  ifMatch: string | null
}

export const useSaveSupply = (id: number, onDone: () => void) =>
  useWrite(
    ({ patch, ifMatch }: SupplyChange) =>
      admin('PATCH /supplies/:id', { params: { id }, body: patch, ifMatch: ifMatch ?? undefined }),
    { stale: ['GET /supplies'], onDone },
  )

export const useCategories = (query: { parent_id?: string; q?: string; page: number }) =>
  useCall('GET /categories', { query: { ...query, per_page: ALL } })

export interface PictureFilter {
  status: PictureRow['status'] | undefined
  host: string
  erp_id?: string
  page: number
}

export const usePictures = ({ status, host, erp_id, page }: PictureFilter, everyMs?: number) =>
  useCall('GET /media-jobs', {
    query: {
      ...(status !== undefined && { status }),
      ...(host !== '' && { host }),
      ...(erp_id !== undefined && { erp_id }),
      page,
      per_page: PER_PAGE,
    },
    ...(everyMs !== undefined && { everyMs }),
  })

export const useRetryPicture = () =>
  useWrite((id: number) => admin('POST /media-jobs/:id/retry', { params: { id } }), {
    stale: ['GET /media-jobs', 'GET /overview'],
  })

export const useRetryPictures = (onDone: (answer: { retried: number }) => void) =>
  useWrite((body: { host?: string }) => admin('POST /media-jobs/retry', { body }), {
    stale: ['GET /media-jobs', 'GET /overview'],
    onDone,
  })
