import { acceptInvitation as accept, type NewSession, signInBy } from '@partsbus/contracts/administration/accounts'
import { AppError } from '@partsbus/contracts/app-error'
import type { Session } from '@partsbus/contracts/administration/administrator'
import { tokenMatches } from '../../auth/api-token.js'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'
import { sessionDigest } from './session-access.js'
import { type CookieForm, readSessionCookie, sessionCookie } from './session-cookie.js'
import { viewSession } from './session-view.js'

const PLAIN_HTTP =
  'Signing in over plain HTTP is allowed on a loopback host only. Put TLS in front of the gateway and open this page ' +
  'by https: in Compose, set EDGE_HOST and COMPOSE_PROFILES=edge; behind a proxy of your own, name it in ' +
  'TRUSTED_PROXIES. In a network in which nobody can listen, ADMIN_PLAIN_HTTP=on allows plain HTTP.'

type SignInCall = AdminCall<'POST /session'>
type InvitationCall = AdminCall<'POST /invitation'>

/** `POST /session` (admin.md#sign-in). */
export async function signIn(call: SignInCall): Promise<Session> {
  const form = requireCookieForm(call)
  const { ctx, body, settings } = call
  const { token, name, password } = body
  const credential =
    token === undefined ? { name, password } : { is_token_right: tokenMatches(token, ctx.accounts.adminTokenDigest) }
  const opened = await ctx.calls.request(
    signInBy,
    { ...credential, ...browser(call, form) },
    callOptions(settings.call),
  )
  return setCookie(call, opened, form, body.remember === true)
}

/** `POST /invitation` (admin.md#invitations). */
export async function acceptInvitation(call: InvitationCall): Promise<Session> {
  const form = requireCookieForm(call)
  const { ctx, body, settings } = call
  const opened = await ctx.calls.request(accept, { ...body, ...browser(call, form) }, callOptions(settings.call))
  return setCookie(call, opened, form, false)
}

/** The id of a session changes at every sign-in, and the one before it ends. */
function browser({ ctx, request }: SignInCall | InvitationCall, form: CookieForm) {
  const before = readSessionCookie(request.headers.cookie, form)
  return {
    agent: request.headers['user-agent'] ?? null,
    replaced: before === undefined ? null : sessionDigest(before),
    token_holder: ctx.accounts.tokenHolder,
    caller: ctx.caller,
  }
}

function setCookie(
  { reply, request, settings }: SignInCall | InvitationCall,
  { token, session, administrator }: NewSession,
  form: CookieForm,
  isKept: boolean,
): Session {
  reply.header('set-cookie', sessionCookie(form, token, isKept))
  return viewSession(administrator, session, { settings: settings.values, address: request.address })
}

function requireCookieForm({ ctx, request }: SignInCall | InvitationCall): CookieForm {
  const form = ctx.accounts.cookieForm(request.raw)
  if (!form) throw new AppError('FORBIDDEN', PLAIN_HTTP)
  return form
}
