import type { AnswerOf } from '@partsbus/contracts/http/admin'
import type { PreviewDraft } from '@partsbus/contracts/pricing-import/preview'
import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { admin } from '../calls/admin-client.js'
import { useCall, useWrite } from '../calls/use-call.js'

export type PriceList = AnswerOf<'GET /price-lists/:id'>
export type PriceListRow = AnswerOf<'GET /price-lists'>['data'][number]
export type Version = AnswerOf<'GET /price-lists/:id/versions'>[number]
export type FilePreview = AnswerOf<'POST /price-lists/:id/preview'>

/** A service of an earlier version leaves the number within the list out. */
export const versionNumber = ({ version, number }: { version: number; number?: number | undefined }): number =>
  number ?? version

export const PER_PAGE = 100
const ALL = 500

/** An import or a source may change the rows at any time, ms. */
export const EVERY_MS = 10_000

export const useStorages = () => useCall('GET /storages', { query: { per_page: ALL } })

export const staleLists = ['GET /price-lists', 'GET /references', 'GET /overview'] as const

export const useImportPreviewed = (id: number, onDone: (answer: { task_id: number }) => void) =>
  useWrite(
    (body: { preview_id: string; mode?: 'merge' }) => admin('POST /price-lists/:id/upload', { params: { id }, body }),
    { stale: [...staleLists, 'GET /import-tasks'], onDone },
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
    // the same file and draft answer the same, unless the list or the brands were changed on another page
    staleTime: Infinity,
    refetchOnMount: 'always',
    retry: false,
  })
}
