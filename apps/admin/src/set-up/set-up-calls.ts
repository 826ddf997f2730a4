import type { Exchange } from '@partsbus/client/transport'
import type { SentBody } from '@partsbus/contracts/http/calls'
import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { admin } from '../calls/admin-client.js'
import { useCall, useWrite } from '../calls/use-call.js'

export type Storage = AnswerOf<'GET /storages/:id'>
export type Point = AnswerOf<'GET /pick-up-points/:id'>
export type BrandGroup = AnswerOf<'GET /brand-synonyms/:id'>
export type Settings = AnswerOf<'GET /settings'>

export const PER_PAGE = 100
const ALL = 500

/** For pickers. */
export const useAllStorages = (): { id: number; name: string; supplier: Storage['supplier'] }[] =>
  useCall('GET /storages', { query: { per_page: ALL } }).data?.data ?? []

export const staleStorages = ['GET /storages', 'GET /references', 'GET /overview'] as const

export const useTestSupplier = () =>
  useWrite((body: { supplier: Storage['supplier']; article: string; storage_id?: number }) =>
    admin('POST /storages/test', { body }),
  )

export const useAllPoints = (): { id: number; name: string }[] =>
  useCall('GET /pick-up-points', { query: { per_page: ALL } }).data?.data ?? []

export const stalePoints = ['GET /pick-up-points', 'GET /references', 'GET /overview'] as const

export type Api = 'erp' | 'b2b'
export const staleSettings = ['GET /settings', 'GET /overview', 'GET /references'] as const

/*
 * A token is shown at once, while what is stale is read again, and is part of no answer that is kept.
 */

/** @param onIssued gets the token that switching the partner API on creates where there is none */
export async function saveSettings(
  change: { body: SentBody<'PATCH /settings'>; ifMatch: string | undefined },
  onIssued: (token: string) => void,
): Promise<Exchange<Settings>> {
  const saved = await admin.exchange('PATCH /settings', change)
  const { answer } = saved
  if (!answer.b2b_token) return saved
  const { token, ...stamp } = answer.b2b_token
  if (token !== undefined) onIssued(token)
  return { ...saved, answer: { ...answer, b2b_token: stamp } }
}
export const useIssueToken = (api: Api, onIssued: (token: string) => void) =>
  useWrite(
    async (ifMatch: string | null) => {
      const path = api === 'erp' ? 'POST /settings/erp-token' : 'POST /settings/b2b-token'
      onIssued((await admin(path, { ifMatch: ifMatch ?? undefined })).token)
    },
    { stale: staleSettings },
  )
export const useRevokeToken = (api: Api, onDone: () => void) =>
  useWrite(
    (ifMatch: string | null) =>
      admin(api === 'erp' ? 'DELETE /settings/erp-token' : 'DELETE /settings/b2b-token', {
        ifMatch: ifMatch ?? undefined,
      }),
    { stale: staleSettings, onDone },
  )
