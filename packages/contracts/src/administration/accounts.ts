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
  signIn,
} from './administrator.js'
import { command } from '../message.js'
import { pageOf, pageRequest } from '../paging.js'
import { ifRevisions, revision } from '../revision.js'
import { caller } from './caller.js'

/* Administrators (admin.md#administrators). */

const one = { id: z.int() }
const change = { caller, ...ifRevisions }

export const listAdministrators = command('administration.administrators.list', {
  request: pageRequest,
  reply: pageOf(administrator),
})

export const getAdministrator = command('administration.administrators.get', {
  request: z.object(one),
  reply: administrator.extend(revision),
})

export const createAdministrator = command('administration.administrators.create', {
  request: z.object({ ...newAdministrator.shape, caller }),
  reply: invitedAdministrator.extend(revision),
})

export const patchAdministrator = command('administration.administrators.patch', {
  request: z.object({ ...one, patch: administratorPatch, ...change }),
  reply: administrator.extend(revision),
})

export const deleteAdministrator = command('administration.administrators.delete', {
  request: z.object({ ...one, ...change }),
  reply: z.object({}),
})

export const inviteAdministrator = command('administration.administrators.invite', {
  request: z.object({ ...one, caller }),
  reply: invitation,
})

export const closeAdministratorSessions = command('administration.administrators.close-sessions', {
  request: z.object({ ...one, caller }),
  reply: z.object({}),
})

/* Sessions (admin.md#sign-in). */

/** The lifetime of a session, and of a cookie that is kept when the browser is closed, in ms. */
export const SESSION_MAX_AGE_MS = 7 * 24 * 3_600_000

/** Whose sessions: those of ADMIN_TOKEN end with it, so another token is another holder. */
const holder = z.object({
  administrator_id: z.int().nullable().describe('null: the holder of `ADMIN_TOKEN`'),
  token_holder: z.string().describe('the holder of sessions of the present `ADMIN_TOKEN`'),
})
export type SessionHolder = z.infer<typeof holder>

const account = session.shape.administrator.extend({
  id: z.int(),
  locale: session.shape.administrator.shape.locale.nullable().describe('null: that of the settings'),
})
/** An administrator as his own session shows him. */
export type Account = z.infer<typeof account>

/** A session that opens the admin API, and its administrator. */
const openSession = z.object({
  session: z.object({
    id: z.string(),
    started_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    address: z.string().nullable(),
  }),
  administrator: account.nullable().describe('null: the holder of `ADMIN_TOKEN`'),
})
export type OpenSession = z.infer<typeof openSession>

/** Digests that one look-up may name. */
export const MAX_DIGESTS = 500

/** Which of these digests of cookies are of open sessions. */
export const findSessions = command('administration.sessions.find', {
  request: z.object({ digests: z.array(z.string()).max(MAX_DIGESTS) }),
  reply: z.object({ open: z.array(z.string()) }),
})

/** The session of a cookie, which has been used now. */
export const getOpenSession = command('administration.sessions.get', {
  request: z.object({ digest: z.string(), token_holder: z.string() }),
  reply: z.object({ opened: openSession.nullable().describe('null: it opens nothing') }),
})

/** The browser that a session is opened for. */
const browser = {
  agent: z.string().nullable(),
  replaced: z.string().nullable().describe('digest of the cookie that it sent; its session ends'),
  token_holder: z.string(),
  caller,
}
const newSession = openSession.extend({ token: z.string().describe('of the cookie') })
export type NewSession = z.infer<typeof newSession>

/** For who has no session yet. It says no more than whether anybody has one (admin.md#sign-in-first). */
export const getSignIn = command('administration.sessions.sign-in', {
  request: z.object({}),
  reply: z.object({ has_accounts: z.boolean().describe('whether an active administrator has a password') }).meta({
    id: 'SignInOptions',
  }),
})

/** Signs in by name and password, or by `ADMIN_TOKEN`, which the gateway has compared. */
export const signInBy = command('administration.sessions.open', {
  request: z.object({
    name: signIn.shape.name,
    password: signIn.shape.password,
    is_token_right: z.boolean().optional(),
    ...browser,
  }),
  reply: newSession,
})

/** Sets the password of an invited administrator, and signs in. */
export const acceptInvitation = command('administration.invitations.accept', {
  request: z.object({ ...acceptedInvitation.shape, ...browser }),
  reply: newSession,
})

export const listSessions = command('administration.sessions.list', {
  request: holder,
  reply: z.object({ sessions: z.array(ownSession.omit({ is_current: true })) }),
})

/** Ends one session. */
export const closeSession = command('administration.sessions.close', {
  request: holder.extend({ id: z.string(), may_be_gone: z.boolean(), caller }),
  reply: z.object({}),
})

/** Ends all sessions but one. */
export const closeOtherSessions = command('administration.sessions.close-others', {
  request: holder.extend({ kept: z.string().nullable().describe('null: none'), caller }),
  reply: z.object({}),
})

/** Changes the own name, language and password (admin.md#own-account). */
export const patchAccount = command('administration.accounts.patch', {
  request: z.object({ id: z.int(), session_id: z.string(), patch: ownAccountPatch, caller }),
  reply: z.object({ administrator: account }),
})
