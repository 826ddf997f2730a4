import { z } from 'zod'
import {
  acceptedInvitation,
  administrator,
  administratorPatch,
  invitation,
  invitedAdministrator,
  newAdministrator,
  ownAccountPatch,
  ownSession,
  session,
  sessionId,
  signIn,
} from '../gateway/administrator.js'
import { pageOf, pageRequest } from '../paging.js'
import type { OperationRows } from './operation.js'

export const peopleOperations = {
  'POST /session': { role: 'nobody', status: 200, body: signIn, answer: session },
  'GET /session': { role: 'viewer', status: 200, answer: session },
  'PATCH /session': { role: 'viewer', status: 200, body: ownAccountPatch, answer: session },
  'DELETE /session': { role: 'viewer', status: 204 },
  'GET /sessions': { role: 'viewer', status: 200, answer: z.array(ownSession) },
  'DELETE /sessions': { role: 'viewer', status: 204 },
  'DELETE /sessions/:id': { role: 'viewer', status: 204, params: sessionId },
  'POST /invitation': { role: 'nobody', status: 200, body: acceptedInvitation, answer: session },

  'GET /administrators': { role: 'owner', status: 200, query: pageRequest, answer: pageOf(administrator) },
  'POST /administrators': {
    role: 'owner',
    status: 201,
    isRevised: true,
    body: newAdministrator,
    answer: invitedAdministrator,
  },
  'GET /administrators/:id': { role: 'owner', status: 200, isRevised: true, answer: administrator },
  'PATCH /administrators/:id': {
    role: 'owner',
    status: 200,
    isRevised: true,
    body: administratorPatch,
    answer: administrator,
  },
  'DELETE /administrators/:id': { role: 'owner', status: 204, isRevised: true },
  'POST /administrators/:id/invitation': { role: 'owner', status: 200, answer: invitation },
  'DELETE /administrators/:id/sessions': { role: 'owner', status: 204 },
} as const satisfies OperationRows
