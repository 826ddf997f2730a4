import type { AnswerOf } from '@partsbus/contracts/admin/operations'
import type { PreviewDraft } from '@partsbus/contracts/pricing-import/preview'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '../calls/admin-client.js'
import { useCall, useDelete, useRevision, useWrite } from '../calls/use-call.js'
import { listCreator } from './create-list.js'

export type PriceList = AnswerOf<'GET /price-lists/:id'>
export type PriceListRow = AnswerOf<'GET /price-lists'>['data'][number]
export type Version = AnswerOf<'GET /price-lists/:id/versions'>[number]
export type FilePreview = AnswerOf<'POST /price-lists/:id/preview'>

export const PER_PAGE = 100
const ALL = 500

/** An import or a source may change the rows at any time, ms. */
const EVERY_MS = 10_000

export interface ListFilter {
  q: string
  problem: boolean
  page: number
}

export const usePriceLists = ({ q, problem, page }: ListFilter) =>
  useCall('GET /price-lists', {
    query: { ...(q !== '' && { q }), ...(problem && { problem }), page, per_page: PER_PAGE },
    everyMs: EVERY_MS,
  })

export const useOffers = (id: number, { article, page }: { article: string; page: number }) =>
  useCall('GET /price-lists/:id/offers', {
    params: { id },
    query: { ...(article !== '' && { article }), page, per_page: PER_PAGE },
  })
export const usePriceList = (id: number) => useRevision('GET /price-lists/:id', { params: { id } })
/** The same, read again and again: the last runs of its sources change by themselves. */
export const useWatchedPriceList = (id: number) =>
  useRevision('GET /price-lists/:id', { params: { id }, everyMs: EVERY_MS })
export const useVersions = (id: number) => useCall('GET /price-lists/:id/versions', { params: { id } })
export const useStorages = () => useCall('GET /storages', { query: { per_page: ALL } })
export const useLastTask = (price_list_id: number) =>
  useCall('GET /import-tasks', { query: { price_list_id, per_page: 1 } })

const stale = ['GET /price-lists', 'GET /references', 'GET /overview'] as const

/** Creates the storage as well where a name for it is given. */
export function useCreateList(onDone: (list: { id: number }) => void) {
  const [create] = useState(() =>
    listCreator({
      createStorage: (name) => admin('POST /storages', { body: { name, supplier: { kind: 'price-list' } } }),
      createList: (body) => admin('POST /price-lists', { body }),
    }),
  )
  return useWrite(create, { stale: [...stale, 'GET /storages'], onDone })
}

export type ListPatch = Partial<
  Pick<PriceList, 'name' | 'is_active' | 'mode' | 'markup_percent' | 'delivery_days' | 'min_rows_ratio' | 'format'>
> & { sources?: PriceListSource[] }

export const useSaveList = (id: number, onDone: () => void) =>
  useWrite(
    ({ patch, ifMatch }: { patch: ListPatch; ifMatch: string | null }) =>
      admin.exchange('PATCH /price-lists/:id', { params: { id }, body: patch, ifMatch: ifMatch ?? undefined }),
    { stale, onDone },
  )

/** The list as it is now, also for all that shows it. */
export const useReadListAgain = (id: number) =>
  useWrite(() => admin('GET /price-lists/:id', { params: { id } }), { stale: ['GET /price-lists/:id'] })

export const useDeleteList = (onDone: () => void) =>
  useDelete('DELETE /price-lists/:id', { query: { with_history: true }, stale, onDone })

export const useRollback = (id: number, onDone: () => void) =>
  useWrite((version: number) => admin('POST /price-lists/:id/rollback', { params: { id }, body: { version } }), {
    stale,
    onDone,
  })

export const useImportPreviewed = (id: number, onDone: (answer: { task_id: number }) => void) =>
  useWrite(
    (body: { preview_id: string; mode?: 'merge' }) => admin('POST /price-lists/:id/upload', { params: { id }, body }),
    { stale: [...stale, 'GET /import-tasks'], onDone },
  )

export const useRunSource = (id: number) =>
  useWrite(
    (source_id: number) => admin('POST /price-lists/:id/sources/:source_id/run', { params: { id, source_id } }),
    {
      stale: [...stale, 'GET /import-tasks'],
    },
  )

/** Fetches the file and imports nothing. */
export const useTestSource = (id: number) =>
  useWrite((source: PriceListSource) => admin('POST /price-lists/:id/sources/test', { params: { id }, body: source }))

/** The file as it is read with a draft; what was read before stays until then. */
export function usePreview(
  id: number,
  file: { preview_id: string } | { task_id: number } | undefined,
  draft: PreviewDraft,
) {
  return useQuery<FilePreview>({
    queryKey: ['POST /price-lists/:id/preview', id, file, draft],
    queryFn: ({ signal }) =>
      admin('POST /price-lists/:id/preview', { params: { id }, body: { file: file ?? {}, draft }, signal }),
    enabled: file !== undefined,
    placeholderData: keepPreviousData,
    // the answer belongs to the file and the draft: it never changes
    staleTime: Infinity,
    retry: false,
  })
}
