import type { AnswerOf } from '@partsbus/contracts/http/admin'

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
/** More supplies than a product ever has, and more categories than most branches. */
export const ALL = 500

export const stalePictures = ['GET /media-jobs', 'GET /overview'] as const
