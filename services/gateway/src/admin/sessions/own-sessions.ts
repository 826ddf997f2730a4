import { AppError } from '@partsbus/contracts/errors'
import type { OwnAccountPatch, OwnSession, Session } from '@partsbus/contracts/gateway/administrator'
import { contractViolation } from '@partsbus/contracts/violation'
import { addressKey } from '../../addresses/address-key.js'
import { type AccountCall, withDatabase } from '../administrators/account-call.js'
import type { AdministratorDocument } from '../administrators/administrator-store.js'
import { assertClearNames } from '../administrators/clear-name.js'
import { hashPassword, type PasswordHash, verifyPassword } from '../administrators/password.js'
import { requestAdministrator } from '../administrators/request-administrator.js'
import { hideSecrets } from '../audit/hide-secrets.js'
import { recordChange } from '../audit/record-change.js'
import { notFound } from '../resources/read-request.js'
import { nameDigest } from './open-session.js'
import { clearedCookie } from './session-cookie.js'
import { administratorHolder } from './session-store.js'
import { viewOwnSession, viewSession } from './session-view.js'

/** The session of the request (admin.md#session-get). */
export function getSession({ request, settings }: AccountCall): Session {
  const { openSession, address } = request
  return viewSession(openSession?.administrator ?? null, openSession?.session, { settings: settings.values, address })
}

/** Signs out (admin.md#session-get). A bearer token has no session. */
export async function signOut({ ctx, request, reply }: AccountCall): Promise<void> {
  const { accounts } = ctx
  const opened = request.openSession?.session
  if (opened) {
    await withDatabase(ctx, async () => {
      await recordChange(ctx, {
        action: 'session.close',
        details: { id: opened._id },
        make: () => accounts.sessions.delete(opened._id, opened.holder),
      })
      await accounts.access.announceChange()
    })
  }
  const form = accounts.cookieForm(request.raw)
  if (form) reply.header('set-cookie', clearedCookie(form))
  reply.header('clear-site-data', '"cache"')
}

/** Changes the caller's own name, language and password (admin.md#own-account). */
export async function patchOwnAccount(call: AccountCall<OwnAccountPatch>): Promise<Session> {
  const { ctx, body, request, settings } = call
  const { accounts } = ctx
  const { administrator, session } = request.openSession ?? {}
  if (!administrator || !session)
    throw new AppError('CONFLICT', 'The session of the installation token has no account that could be changed.')
  assertClearNames(body, administrator)
  return withDatabase(ctx, async () => {
    const password = body.password && (await replacePassword(call, administrator, body.password))
    const { password: _, ...fields } = body
    const changed = await recordChange(ctx, {
      action: 'administrator.patch',
      details: { id: administrator._id, ...hideSecrets(body) },
      make: () => accounts.administrators.update(administrator._id, definedFields({ ...fields, password })),
    })
    if (!changed) throw new AppError('UNAUTHENTICATED', 'Unauthenticated.')
    if (password) await accounts.sessions.deleteAll(session.holder, session._id)
    await accounts.access.announceChange()
    return viewSession(changed, session, { settings: settings.values, address: request.address })
  })
}

/** The caller's own sessions, newest first (admin.md#sessions). */
export async function listOwnSessions(call: AccountCall): Promise<OwnSession[]> {
  const { ctx, request } = call
  return withDatabase(ctx, async () => {
    const open = await ctx.accounts.sessions.listOpen(ownHolder(call))
    return open.map((session) => viewOwnSession(session, requestAdministrator(request).sessionId))
  })
}

/** Ends all own sessions but the one of this request (admin.md#sessions). */
export async function closeOtherSessions(call: AccountCall): Promise<void> {
  const { ctx, request } = call
  const { access, sessions } = ctx.accounts
  await withDatabase(ctx, async () => {
    await recordChange(ctx, {
      action: 'session.close',
      details: {},
      make: () => sessions.deleteAll(ownHolder(call), request.openSession?.session._id),
      resultDetails: (closed) => ({ closed }),
    })
    await access.announceChange()
  })
}

/** @throws AppError NOT_FOUND unless it is the caller's own session */
export async function closeOwnSession(call: AccountCall & { params: Record<string, unknown> }): Promise<void> {
  const { ctx } = call
  const id = String(call.params.id)
  const { access, sessions } = ctx.accounts
  await withDatabase(ctx, async () => {
    await recordChange(ctx, {
      action: 'session.close',
      details: { id },
      make: async () => {
        if (!(await sessions.delete(id, ownHolder(call)))) throw notFound()
      },
    })
    await access.announceChange()
  })
}

function ownHolder({ ctx, request }: AccountCall): string {
  const { id } = requestAdministrator(request)
  return id === null ? ctx.accounts.tokenHolder : administratorHolder(id)
}

/** Guesses of the current password are limited like those of a sign-in. */
async function replacePassword(
  { ctx, request }: AccountCall,
  { name, password, addresses }: AdministratorDocument,
  { current, next }: { current: string; next: string },
): Promise<PasswordHash> {
  const { attempts, passwords } = ctx.accounts
  const digest = nameDigest(name)
  const replace = async (): Promise<PasswordHash> => {
    attempts.start(request.address, digest, addresses?.includes(addressKey(request.address)))
    if (await verifyPassword(current, password)) return hashPassword(next)
    await attempts.fail(request.address, digest)
    throw contractViolation({ 'password.current': ['The current password is wrong.'] })
  }
  return passwords.run(`${addressKey(request.address)} ${digest}`, replace, true)
}

/** A field that is undefined would be stored as null. */
function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}
