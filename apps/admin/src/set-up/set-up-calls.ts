import type { AnswerOf } from '@partsbus/contracts/admin/operations'
import { admin } from '../calls/admin-client.js'
import { useCall, useDelete, useRevision, useWrite } from '../calls/use-call.js'

export type Storage = AnswerOf<'GET /storages/:id'>
export type Point = AnswerOf<'GET /pick-up-points/:id'>
export type BrandGroup = AnswerOf<'GET /brand-synonyms/:id'>
export type Settings = AnswerOf<'GET /settings'>

export const PER_PAGE = 100
const ALL = 500

export const useStorages = (page: number) => useCall('GET /storages', { query: { page, per_page: PER_PAGE } })
export const useStorage = (id: number) => useRevision('GET /storages/:id', { params: { id } })
/** For pickers. */
export const useAllStorages = (): { id: number; name: string; supplier: Storage['supplier'] }[] =>
  useCall('GET /storages', { query: { per_page: ALL } }).data?.data ?? []

type StorageBody = Pick<Storage, 'name' | 'is_active' | 'supplier'>
const staleStorages = ['GET /storages', 'GET /references', 'GET /overview'] as const

export const useCreateStorage = (onDone: (storage: { id: number }) => void) =>
  useWrite((body: StorageBody) => admin('POST /storages', { body }), { stale: staleStorages, onDone })
export const useSaveStorage = (id: number) =>
  useWrite(
    ({ body, ifMatch }: { body: Partial<StorageBody>; ifMatch: string | null }) =>
      admin.exchange('PATCH /storages/:id', { params: { id }, body, ifMatch: ifMatch ?? undefined }),
    { stale: staleStorages },
  )
export const useDeleteStorage = (onDone: () => void) =>
  useDelete('DELETE /storages/:id', { stale: staleStorages, onDone })
export const useTestSupplier = () =>
  useWrite((body: { supplier: Storage['supplier']; article: string; storage_id?: number }) =>
    admin('POST /storages/test', { body }),
  )

export const usePoints = (page: number) => useCall('GET /pick-up-points', { query: { page, per_page: PER_PAGE } })
export const usePoint = (id: number) => useRevision('GET /pick-up-points/:id', { params: { id } })
export const useAllPoints = (): { id: number; name: string }[] =>
  useCall('GET /pick-up-points', { query: { per_page: ALL } }).data?.data ?? []

type PointBody = Omit<Point, 'id'>
const stalePoints = ['GET /pick-up-points', 'GET /references', 'GET /overview'] as const

export const useCreatePoint = (onDone: (point: { id: number }) => void) =>
  useWrite((body: PointBody) => admin('POST /pick-up-points', { body }), { stale: stalePoints, onDone })
export const useSavePoint = (id: number) =>
  useWrite(
    ({ body, ifMatch }: { body: Partial<PointBody>; ifMatch: string | null }) =>
      admin.exchange('PATCH /pick-up-points/:id', { params: { id }, body, ifMatch: ifMatch ?? undefined }),
    { stale: stalePoints },
  )
export const useDeletePoint = (onDone: () => void) =>
  useDelete('DELETE /pick-up-points/:id', { stale: stalePoints, onDone })

export const useBrandGroups = ({ q, page }: { q: string; page: number }) =>
  useCall('GET /brand-synonyms', { query: { ...(q !== '' && { q }), page, per_page: PER_PAGE } })
export const useBrandGroup = (id: number) => useRevision('GET /brand-synonyms/:id', { params: { id } })

interface GroupChange {
  /** absent: a new group */
  id: number | undefined
  body: Omit<BrandGroup, 'id'>
  ifMatch: string | null
}
const staleGroups = ['GET /brand-synonyms'] as const

export const useSaveBrandGroup = (onDone: () => void) =>
  useWrite(
    ({ id, body, ifMatch }: GroupChange) =>
      id === undefined
        ? admin('POST /brand-synonyms', { body })
        : admin('PATCH /brand-synonyms/:id', { params: { id }, body, ifMatch: ifMatch ?? undefined }),
    { stale: staleGroups, onDone },
  )
export const useDeleteBrandGroup = (onDone: () => void) =>
  useDelete('DELETE /brand-synonyms/:id', { stale: staleGroups, onDone })

export type Door = 'erp' | 'b2b'
export type SettingsPatch = Partial<Omit<Settings, 'erp_token' | 'b2b_token'>>
const staleSettings = ['GET /settings', 'GET /overview'] as const

export const useSettings = () => useRevision('GET /settings', {})
/*
 * A token is shown at once, while what is stale is read again, and is part of no answer that is kept.
 */

/** @param onIssued gets the token that switching the partner API on creates where there is none */
export const useSaveSettings = (onIssued: (token: string) => void) =>
  useWrite(
    async ({ patch, ifMatch }: { patch: SettingsPatch; ifMatch: string | null }) => {
      const { answer, etag } = await admin.exchange('PATCH /settings', { body: patch, ifMatch: ifMatch ?? undefined })
      if (!answer.b2b_token) return { answer, etag }
      const { token, ...stamp } = answer.b2b_token
      if (token !== undefined) onIssued(token)
      return { answer: { ...answer, b2b_token: stamp }, etag }
    },
    { stale: staleSettings },
  )
export const useIssueToken = (door: Door, onIssued: (token: string) => void) =>
  useWrite(
    async (ifMatch: string | null) => {
      const path = door === 'erp' ? 'POST /settings/erp-token' : 'POST /settings/b2b-token'
      onIssued((await admin(path, { ifMatch: ifMatch ?? undefined })).token)
    },
    { stale: staleSettings },
  )
export const useRevokeToken = (door: Door, onDone: () => void) =>
  useWrite(
    (ifMatch: string | null) =>
      admin(door === 'erp' ? 'DELETE /settings/erp-token' : 'DELETE /settings/b2b-token', {
        ifMatch: ifMatch ?? undefined,
      }),
    { stale: staleSettings, onDone },
  )
