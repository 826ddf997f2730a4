import {
  closeOtherSessions as closeOthers,
  closeSession,
  listSessions,
  patchAccount,
  type SessionHolder,
} from '@partsbus/contracts/administration/accounts'
import { AppError } from '@partsbus/contracts/app-error'
import type { OwnSession, Session } from '@partsbus/contracts/administration/administrator'
import type { AdminPath } from '@partsbus/contracts/http/admin'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'
import { requestAdministrator } from '../administrators/request-administrator.js'
import { clearedCookie } from './session-cookie.js'
import { viewSession } from './session-view.js'

/** The session of the request (admin.md#session-get). */
export function getSession({ request, settings }: AdminCall<'GET /session'>): Session {
  const { openSession, address } = request
  return viewSession(openSession?.administrator ?? null, openSession?.session, { settings: settings.values, address })
}

/** Signs out (admin.md#session-get). A bearer token has no session. */
export async function signOut(call: AdminCall<'DELETE /session'>): Promise<void> {
  const { ctx, request, reply } = call
  const opened = request.openSession?.session
  if (opened) await close(call, opened.id, true)
  const form = ctx.accounts.cookieForm(request.raw)
  if (form) reply.header('set-cookie', clearedCookie(form))
  reply.header('clear-site-data', '"cache"')
}

/** Changes the caller's own name, language and password (admin.md#own-account). */
export async function patchOwnAccount(call: AdminCall<'PATCH /session'>): Promise<Session> {
  const { ctx, body, request, settings } = call
  const { administrator, session } = request.openSession ?? {}
  if (!administrator || !session)
    throw new AppError('CONFLICT', 'The session of the installation token has no account that could be changed.')
  const changed = await ctx.calls.request(
    patchAccount,
    { id: administrator.id, session_id: session.id, patch: body, caller: ctx.caller },
    callOptions(settings.call),
  )
  return viewSession(changed.administrator, session, { settings: settings.values, address: request.address })
}

/** The caller's own sessions, newest first (admin.md#sessions). */
export async function listOwnSessions(call: AdminCall<'GET /sessions'>): Promise<OwnSession[]> {
  const { ctx, request, settings } = call
  const { sessions } = await ctx.calls.request(listSessions, holderOf(call), callOptions(settings.call))
  const { sessionId } = requestAdministrator(request)
  return sessions.map((session) => ({ ...session, is_current: session.id === sessionId }))
}

/** Ends all own sessions but the one of this request (admin.md#sessions). */
export async function closeOtherSessions(call: AdminCall<'DELETE /sessions'>): Promise<void> {
  const { ctx, request, settings } = call
  const kept = request.openSession?.session.id ?? null
  await ctx.calls.request(closeOthers, { ...holderOf(call), kept, caller: ctx.caller }, callOptions(settings.call))
}

/** @throws AppError NOT_FOUND unless it is the caller's own session */
export async function closeOwnSession(call: AdminCall<'DELETE /sessions/:id'>): Promise<void> {
  await close(call, String(call.params.id), false)
}

async function close<Path extends AdminPath>(call: AdminCall<Path>, id: string, mayBeGone: boolean): Promise<void> {
  const { ctx, settings } = call
  await ctx.calls.request(
    closeSession,
    { ...holderOf(call), id, may_be_gone: mayBeGone, caller: ctx.caller },
    callOptions(settings.call),
  )
}

function holderOf<Path extends AdminPath>({ ctx, request }: AdminCall<Path>): SessionHolder {
  return { administrator_id: requestAdministrator(request).id, token_holder: ctx.accounts.tokenHolder }
}
