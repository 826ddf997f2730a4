import type { SentBody } from '@partsbus/contracts/admin/calls'
import type { AnswerOf } from '@partsbus/contracts/admin/operations'
import { admin } from '../calls/admin-client.js'
import { useCall, useDelete, useRevision, useWrite } from '../calls/use-call.js'
import type { PersonDraft } from './person-draft.js'

export type Person = AnswerOf<'GET /administrators/:id'>

/** An invitation that is shown once. */
export type Invited = AnswerOf<'POST /administrators/:id/invitation'> & { name: string }

export const PER_PAGE = 100

const stale = ['GET /administrators', 'GET /references'] as const

export const usePeople = (page: number) => useCall('GET /administrators', { query: { page, per_page: PER_PAGE } })
export const usePerson = (id: number) => useRevision('GET /administrators/:id', { params: { id } })

export const useInvite = () =>
  useWrite((body: SentBody<'POST /administrators'>) => admin('POST /administrators', { body }), { stale })

interface PersonChange {
  body: Partial<PersonDraft>
  ifMatch: string | null
}

export const useSavePerson = (id: number, onDone: () => void) =>
  useWrite(
    ({ body, ifMatch }: PersonChange) =>
      admin('PATCH /administrators/:id', { params: { id }, body, ifMatch: ifMatch ?? undefined }),
    { stale, onDone },
  )

export const useDeletePerson = (onDone: () => void) => useDelete('DELETE /administrators/:id', { stale, onDone })

export const useInviteAgain = () =>
  useWrite((id: number) => admin('POST /administrators/:id/invitation', { params: { id } }))

export const useSignOutPerson = (onDone: () => void) =>
  useWrite((id: number) => admin('DELETE /administrators/:id/sessions', { params: { id } }), {
    stale,
    onDone,
  })
