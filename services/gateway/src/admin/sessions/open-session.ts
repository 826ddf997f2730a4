import { createHash, randomBytes } from 'node:crypto'
import type { AcceptedInvitation, Session, SignIn } from '@partsbus/contracts/gateway/administrator'
import { AppError } from '@partsbus/contracts/errors'
import { addressKey } from '../../addresses/address-key.js'
import { tokenMatches } from '../../settings/access-token.js'
import { type AccountCall, withDatabase } from '../administrators/account-call.js'
import { type AdministratorDocument, nameKey } from '../administrators/administrator-store.js'
import { hashPassword, verifyPassword } from '../administrators/password.js'
import { tokenHolder } from '../administrators/request-administrator.js'
import { recordChange } from '../audit/record-change.js'
import { type CookieForm, readSessionCookie, sessionCookie } from './session-cookie.js'
import { administratorHolder, sessionDigest } from './session-store.js'
import { viewSession } from './session-view.js'

const PLAIN_HTTP =
  'Signing in over plain HTTP is allowed on a loopback host only. Use HTTPS, or start the gateway with ' +
  'ADMIN_PLAIN_HTTP=on.'

/** `POST /session` (admin.md#sign-in). */
export async function signIn(call: AccountCall<SignIn>): Promise<Session> {
  const form = requireCookieForm(call)
  const { body } = call
  return withDatabase(call.ctx, async () => {
    const administrator =
      body.token === undefined
        ? await checkPassword(call, body.name ?? '', body.password ?? '')
        : await checkAdminToken(call, body.token)
    return openSession(call, administrator, { form, isKept: body.remember === true })
  })
}

/** `POST /invitation` (admin.md#invitations): the new password ends the sessions of the one before. */
export async function acceptInvitation(call: AccountCall<AcceptedInvitation>): Promise<Session> {
  const form = requireCookieForm(call)
  const { ctx, body, request } = call
  const { administrators, access, attempts, passwords, sessions } = ctx.accounts
  const sha256 = sessionDigest(body.token)
  attempts.assertAddress(request.address)
  return withDatabase(ctx, async () => {
    const invited = await administrators.findByInvitation(sha256)
    if (!invited) return refuse(call, null, invitationInvalid())
    const password = await passwords.run(sha256, () => hashPassword(body.password), true)
    const joined = await recordChange(asAdministrator(ctx, invited), {
      action: 'administrator.join',
      details: { id: invited._id },
      make: async () => {
        const administrator = await administrators.acceptInvitation(sha256, password)
        if (!administrator) throw invitationInvalid()
        return administrator
      },
    })
    if ((await sessions.deleteAll(administratorHolder(joined._id))) > 0) await access.announceChange()
    return openSession(call, joined, { form, isKept: false })
  })
}

/** The digest by which gateways count the attempts with a name. */
export function nameDigest(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex').slice(0, 32)
}

/** Takes the same time for a name that is unknown, has no password or is switched off. */
async function checkPassword(call: AccountCall, name: string, password: string): Promise<AdministratorDocument> {
  const { administrators, attempts, passwords } = call.ctx.accounts
  const { address } = call.request
  const digest = nameDigest(name)
  attempts.assertAddress(address)
  const administrator = await administrators.findByName(name)
  const isKnown = administrator?.addresses?.includes(addressKey(address)) === true
  const check = async (): Promise<AdministratorDocument> => {
    attempts.start(address, digest, isKnown)
    const isRight = await verifyPassword(password, administrator?.is_active ? administrator.password : null)
    if (!administrator || !isRight) return refuse(call, { digest, administrator }, wrongPassword())
    await attempts.succeed(address, digest)
    return administrator
  }
  return passwords.run(`${addressKey(address)} ${digest}`, check, isKnown)
}

async function checkAdminToken(call: AccountCall, token: string): Promise<null> {
  const { adminTokenDigest, attempts } = call.ctx.accounts
  attempts.assertAddress(call.request.address)
  if (!tokenMatches(token, adminTokenDigest)) return refuse(call, null, wrongPassword())
  return null
}

/** Counts a refused attempt, and records some (admin.md#audit). A name that nobody has may be a password. */
async function refuse(
  { ctx, request }: AccountCall,
  attempt: { digest: string; administrator: AdministratorDocument | null } | null,
  error: AppError,
): Promise<never> {
  const { attempts } = ctx.accounts
  const known = attempt?.administrator
  const isRecorded = attempts.shouldRecord(request.address, known ? attempt?.digest : null)
  await attempts.fail(request.address, attempt?.digest)
  if (isRecorded) {
    await recordChange(known ? asAdministrator(ctx, known) : ctx, {
      action: 'session.refused',
      details: {},
      make: async () => undefined,
    }).catch((failure: unknown) => ctx.log.warn({ err: failure }, 'refused sign-in not recorded'))
  }
  throw error
}

/** The id of a session changes at every sign-in, and the one before it ends. */
async function openSession(
  { ctx, settings, request, reply }: AccountCall,
  administrator: AdministratorDocument | null,
  { form, isKept }: { form: CookieForm; isKept: boolean },
): Promise<Session> {
  const { access, administrators, sessions, tokenHolder: holderOfToken } = ctx.accounts
  const { address, headers } = request
  const token = randomBytes(32).toString('base64url')
  const session = await recordChange(asAdministrator(ctx, administrator), {
    action: 'session.open',
    details: {},
    make: async () => {
      const opened = await sessions.open({
        token,
        holder: administrator ? administratorHolder(administrator._id) : holderOfToken,
        administratorId: administrator?._id ?? null,
        address,
        agent: headers['user-agent'],
      })
      if (administrator && !(await isUnchanged(ctx, administrator))) {
        await sessions.delete(opened._id, opened.holder)
        throw wrongPassword()
      }
      return opened
    },
    resultDetails: ({ _id }) => ({ id: _id }),
  })
  if (administrator) await administrators.recordSignIn(administrator, session.seen_at, addressKey(address))
  const before = readSessionCookie(headers.cookie, form)
  if (before !== undefined && (await sessions.deleteByToken(before))) await access.announceChange()
  reply.header('set-cookie', sessionCookie(form, token, isKept))
  return viewSession(administrator, session, { settings: settings.values, address })
}

/**
 * False when the password was replaced, or the administrator switched off, while the old one was being checked. Those
 * changes are written before they end the sessions: either they see the new session, or this sees them.
 */
async function isUnchanged(
  { accounts }: AccountCall['ctx'],
  { _id, password }: AdministratorDocument,
): Promise<boolean> {
  const now = await accounts.administrators.findById(_id)
  return now?.is_active === true && now.password?.key === password?.key
}

function asAdministrator<Context extends AccountCall['ctx']>(
  ctx: Context,
  administrator: AdministratorDocument | null,
): Context {
  const { id, name } = administrator ? { id: administrator._id, name: administrator.name } : tokenHolder
  return { ...ctx, caller: { ...ctx.caller, administrator: { id, name } } }
}

function requireCookieForm({ ctx, request }: AccountCall): CookieForm {
  const form = ctx.accounts.cookieForm(request.raw)
  if (!form) throw new AppError('FORBIDDEN', PLAIN_HTTP)
  return form
}

function wrongPassword(): AppError {
  return new AppError('UNAUTHENTICATED', 'The name or the password is wrong.')
}

function invitationInvalid(): AppError {
  return new AppError('NOT_FOUND', 'The invitation is no longer valid.')
}
