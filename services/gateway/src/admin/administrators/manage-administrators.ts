import { randomBytes } from 'node:crypto'
import { AppError } from '@partsbus/contracts/errors'
import type {
  Administrator,
  AdministratorPatch,
  Invitation,
  InvitedAdministrator,
  NewAdministrator,
} from '@partsbus/contracts/gateway/administrator'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import { contractViolation } from '@partsbus/contracts/violation'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { recordChange } from '../audit/record-change.js'
import { notFound } from '../resources/read-request.js'
import { assertAccepted, entityTag } from '../resources/revisions.js'
import { administratorHolder, sessionDigest } from '../sessions/session-store.js'
import { type AccountCall, withDatabase } from './account-call.js'
import { type AdministratorDocument, nameKey } from './administrator-store.js'
import { assertClearNames } from './clear-name.js'
import { tokenHolder } from './request-administrator.js'

const INVITATION_MS = 72 * 3_600_000

/** A call whose path has the id of an administrator. */
type WithId<Body = unknown> = AccountCall<Body> & {
  params: Record<string, unknown>
  /** the revisions that a change accepts; absent: any */
  ifMatch: number[] | undefined
}

/** admin.md#administrators */
export function listAdministrators(call: AccountCall & { query: PageRequest }): Promise<Page<Administrator>> {
  const { administrators, sessions } = call.ctx.accounts
  return withDatabase(call.ctx, async () => {
    const { data, ...page } = await administrators.list(call.query)
    const open = await sessions.countOpen(data.map(({ _id }) => _id))
    return { data: data.map((one) => viewAdministrator(one, open.get(one._id) ?? 0)), ...page }
  })
}

export function getAdministrator(call: WithId): Promise<Administrator> {
  return withDatabase(call.ctx, async () => showAdministrator(call, await findAdministrator(call)))
}

/** The reply is the only one that contains the token of the invitation (admin.md#invitations). */
export function createAdministrator(call: AccountCall<NewAdministrator>): Promise<InvitedAdministrator> {
  const { ctx, body } = call
  const fields = {
    name: body.name.trim(),
    display_name: body.display_name ?? body.name.trim(),
    role: body.role,
    is_active: body.is_active ?? true,
  }
  assertClearNames(fields)
  // the audit log could not tell a person of this name from the holder of ADMIN_TOKEN
  if (nameKey(body.name) === tokenHolder.name) throw nameTaken()
  return withDatabase(ctx, async () => {
    const { shown, stored } = await newInvitation(call)
    const created = await recordChange(ctx, {
      action: 'administrator.create',
      details: fields,
      make: () =>
        ctx.accounts.administrators.insert({ ...fields, invitation: stored }).catch((error: unknown) => {
          throw isDuplicateKey(error) ? nameTaken() : error
        }),
      resultDetails: ({ _id }) => ({ id: _id }),
    })
    call.reply.header('etag', entityTag(created.rev))
    return { ...viewAdministrator(created, 0), invitation: shown }
  })
}

/** A new role applies to the next request of every session (admin.md#revocation, admin.md#last-owner). */
export function patchAdministrator(call: WithId<AdministratorPatch>): Promise<Administrator> {
  const { ctx, body } = call
  const id = administratorId(call)
  const { access, administrators, sessions } = ctx.accounts
  return withDatabase(ctx, async () => {
    const before = await findAdministrator(call)
    const { name, ...sent } = body
    const { role = before.role, is_active = before.is_active } = sent
    if (name !== undefined && name !== before.name) throw contractViolation({ name: ['The name cannot be changed.'] })
    await assertUnchanged(call, before)
    assertClearNames(sent, before)
    const losesOwner = isActiveOwner(before) && !isActiveOwner({ role, is_active })
    if (losesOwner) await assertOtherOwner(call)
    const after = await recordChange(ctx, {
      action: 'administrator.patch',
      details: { id, ...body },
      make: async () => {
        const changed = await administrators.update(id, sent, call.ifMatch)
        if (!changed) {
          // it was deleted, or changed since it was read above
          await assertUnchanged(call, await findAdministrator(call))
          throw notFound()
        }
        if (losesOwner) await confirmOtherOwner(call, fieldsBefore(before, sent))
        return changed
      },
    })
    if (!after.is_active) await sessions.deleteAll(administratorHolder(id))
    await access.announceChange()
    return showAdministrator(call, after)
  })
}

/** @throws AppError CONFLICT for the last active owner (admin.md#last-owner) */
export function deleteAdministrator(call: WithId): Promise<void> {
  const { ctx } = call
  const id = administratorId(call)
  const { access, administrators, sessions } = ctx.accounts
  return withDatabase(ctx, async () => {
    const before = await findAdministrator(call)
    await assertUnchanged(call, before)
    const losesOwner = isActiveOwner(before)
    if (losesOwner) await assertOtherOwner(call)
    await recordChange(ctx, {
      action: 'administrator.delete',
      details: { id, name: before.name },
      make: async () => {
        // a person who is switched off can be restored, when two owners delete each other at the same time
        if (!(await administrators.update(id, { is_active: false }, call.ifMatch))) {
          await assertUnchanged(call, await findAdministrator(call))
          throw notFound()
        }
        if (losesOwner) await confirmOtherOwner(call, { is_active: true })
        await sessions.deleteAll(administratorHolder(id))
        if (!(await administrators.delete(id))) throw notFound()
      },
    })
    await access.announceChange()
  })
}

/** Also used when a password was forgotten (admin.md#invitations). */
export function inviteAdministrator(call: WithId): Promise<Invitation> {
  const { ctx } = call
  const id = administratorId(call)
  return withDatabase(ctx, async () => {
    const { is_active } = await findAdministrator(call)
    if (!is_active) throw new AppError('CONFLICT', 'The administrator is not active.')
    const { shown, stored } = await newInvitation(call)
    await recordChange(ctx, {
      action: 'administrator.invite',
      details: { id, expires_at: shown.expires_at },
      make: async () => {
        if (!(await ctx.accounts.administrators.setInvitation(id, stored))) throw notFound()
      },
    })
    return shown
  })
}

export function closeAdministratorSessions(call: WithId): Promise<void> {
  const { ctx } = call
  const id = administratorId(call)
  const { access, sessions } = ctx.accounts
  return withDatabase(ctx, async () => {
    await findAdministrator(call)
    await recordChange(ctx, {
      action: 'administrator.close-sessions',
      details: { id },
      make: () => sessions.deleteAll(administratorHolder(id)),
      resultDetails: (closed) => ({ closed }),
    })
    await access.announceChange()
  })
}

function administratorId({ params }: WithId): number {
  return params.id as number
}

async function findAdministrator(call: WithId): Promise<AdministratorDocument> {
  const found = await call.ctx.accounts.administrators.findById(administratorId(call))
  if (!found) throw notFound()
  return found
}

async function newInvitation({ ctx }: AccountCall) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date((await ctx.accounts.administrators.now()).getTime() + INVITATION_MS)
  return {
    shown: { token, expires_at: expires_at.toISOString() },
    stored: { sha256: sessionDigest(token), expires_at },
  }
}

function isActiveOwner({ role, is_active }: Pick<AdministratorDocument, 'role' | 'is_active'>): boolean {
  return role === 'owner' && is_active
}

async function assertOtherOwner(call: WithId): Promise<void> {
  if (await call.ctx.accounts.administrators.hasOtherOwner(administratorId(call))) return
  throw new AppError('CONFLICT', 'The last active owner cannot be deleted, deactivated or given another role.')
}

/** Restores the owner when another request removed the other one meanwhile; both are refused then. */
async function confirmOtherOwner(call: WithId, before: Pick<AdministratorPatch, 'role' | 'is_active'>): Promise<void> {
  try {
    await assertOtherOwner(call)
  } catch (error) {
    await call.ctx.accounts.administrators.update(administratorId(call), before)
    throw error
  }
}

/** What a patch replaces, of the fields that make an owner. */
function fieldsBefore({ role, is_active }: AdministratorDocument, sent: AdministratorPatch) {
  return { ...(sent.role !== undefined && { role }), ...(sent.is_active !== undefined && { is_active }) }
}

/** The administrator, with the revision as a header (admin.md#revisions). */
function showAdministrator(call: AccountCall, administrator: AdministratorDocument): Promise<Administrator> {
  call.reply.header('etag', entityTag(administrator.rev))
  return viewWithSessions(call, administrator)
}

/** @throws AppError CHANGED with the administrator as it is now */
async function assertUnchanged(call: WithId, current: AdministratorDocument): Promise<void> {
  if (call.ifMatch) assertAccepted(call.ifMatch, current.rev, await viewWithSessions(call, current))
}

async function viewWithSessions({ ctx }: AccountCall, administrator: AdministratorDocument): Promise<Administrator> {
  const open = await ctx.accounts.sessions.countOpen([administrator._id])
  return viewAdministrator(administrator, open.get(administrator._id) ?? 0)
}

function viewAdministrator(administrator: AdministratorDocument, sessions: number): Administrator {
  const { _id, name, display_name, role, is_active, password, last_seen_at, created_at } = administrator
  return {
    id: _id,
    name,
    display_name,
    role,
    is_active,
    has_password: password !== null,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    sessions,
    created_at: created_at.toISOString(),
  }
}

function nameTaken(): AppError {
  return contractViolation({ name: ['The name has already been taken.'] }, 'taken')
}
