import { randomBytes } from 'node:crypto'
import { Controller } from '@nestjs/common'
import {
  closeAdministratorSessions,
  createAdministrator,
  deleteAdministrator,
  getAdministrator,
  inviteAdministrator,
  listAdministrators,
  patchAdministrator,
} from '@partsbus/contracts/administration/accounts'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Administrator, AdministratorPatch } from '@partsbus/contracts/administration/administrator'
import { assertRevision } from '@partsbus/contracts/revision'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { Changes } from '../audit/changes.js'
import { SessionAnnouncer } from '../sessions/session-announcer.js'
import { administratorHolder, sessionDigest, SessionStore } from '../sessions/session-store.js'
import { viewAdministrator } from './administrator-view.js'
import { type AdministratorDocument, AdministratorStore, nameKey } from './administrator-store.js'
import { assertClearNames } from './clear-name.js'

/** How the audit log names the holder of ADMIN_TOKEN (admin.md#auth). */
export const TOKEN_HOLDER_NAME = 'admin'

/** The lease of changes after which an owner may be none. */
const OWNERS = 'owners'
const OWNERS_LEASE = { leaseMs: 4_000, waitMs: 5_000, isRenewed: true } as const

const INVITATION_MS = 72 * 3_600_000

/** admin.md#administrators */
@Controller()
export class Administrators {
  constructor(
    private readonly administrators: AdministratorStore,
    private readonly sessions: SessionStore,
    private readonly announcer: SessionAnnouncer,
    private readonly changes: Changes,
    private readonly leases: LeaseStore,
  ) {}

  @Handles(listAdministrators)
  async listAdministrators({ body }: CallOf<typeof listAdministrators>) {
    const { data, ...page } = await this.administrators.list(body)
    const open = await this.sessions.countOpen(data.map(({ _id }) => _id))
    return { data: data.map((one) => viewAdministrator(one, open.get(one._id) ?? 0)), ...page }
  }

  @Handles(getAdministrator)
  async getAdministrator({ body }: CallOf<typeof getAdministrator>) {
    return this.show(await this.find(body.id))
  }

  /** The reply is the only one that contains the token of the invitation (admin.md#invitations). */
  @Handles(createAdministrator)
  async createAdministrator({ body }: CallOf<typeof createAdministrator>) {
    const fields = {
      name: body.name.trim(),
      display_name: body.display_name ?? body.name.trim(),
      role: body.role,
      is_active: body.is_active ?? true,
    }
    assertClearNames(fields)
    // the audit log could not tell a person of this name from the holder of ADMIN_TOKEN
    if (nameKey(body.name) === TOKEN_HOLDER_NAME) throw nameTaken()
    const { shown, stored } = await this.newInvitation()
    const created = await this.changes.record(body.caller, {
      action: 'administrator.create',
      details: fields,
      make: () =>
        this.administrators.insert({ ...fields, invitation: stored }).catch((error: unknown) => {
          throw isDuplicateKey(error) ? nameTaken() : error
        }),
      resultDetails: ({ _id }) => ({ id: _id }),
    })
    return { ...viewAdministrator(created, 0), invitation: shown, revision: created.rev }
  }

  /** A new role applies to the next request of every session (admin.md#revocation, admin.md#last-owner). */
  @Handles(patchAdministrator)
  async patchAdministrator({ body }: CallOf<typeof patchAdministrator>) {
    return this.oneAtATime(await this.find(body.id), () => this.change(body))
  }

  private async change({ id, patch, caller, if_revisions }: CallOf<typeof patchAdministrator>['body']) {
    const before = await this.find(id)
    const { name, ...sent } = patch
    const { role = before.role, is_active = before.is_active } = sent
    if (name !== undefined && name !== before.name) throw contractViolation({ name: ['The name cannot be changed.'] })
    await this.assertUnchanged(before, if_revisions)
    assertClearNames(sent, before)
    const losesOwner = isActiveOwner(before) && !isActiveOwner({ role, is_active })
    if (losesOwner) await this.assertOtherOwner(id)
    const after = await this.changes.record(caller, {
      action: 'administrator.patch',
      details: { id, ...patch, before: { name: before.name, ...replacedFields(before, sent) } },
      make: async () => {
        const changed = await this.administrators.update(id, sent, if_revisions)
        if (!changed) {
          // it was deleted, or changed since it was read above
          await this.assertUnchanged(await this.find(id), if_revisions)
          throw notFound()
        }
        if (losesOwner) await this.confirmOtherOwner(id, fieldsBefore(before, sent))
        return changed
      },
    })
    if (!after.is_active) await this.sessions.deleteAll(administratorHolder(id))
    await this.announcer.announceChange()
    return this.show(after)
  }

  /** @throws AppError CONFLICT for the last active owner (admin.md#last-owner) */
  @Handles(deleteAdministrator)
  async deleteAdministrator({ body }: CallOf<typeof deleteAdministrator>) {
    return this.oneAtATime(await this.find(body.id), () => this.remove(body))
  }

  private async remove({ id, caller, if_revisions }: CallOf<typeof deleteAdministrator>['body']) {
    const before = await this.find(id)
    await this.assertUnchanged(before, if_revisions)
    const losesOwner = isActiveOwner(before)
    if (losesOwner) await this.assertOtherOwner(id)
    await this.changes.record(caller, {
      action: 'administrator.delete',
      details: { id, name: before.name },
      make: async () => {
        // a person who is switched off can be restored, when two owners delete each other at the same time
        if (!(await this.administrators.update(id, { is_active: false }, if_revisions))) {
          await this.assertUnchanged(await this.find(id), if_revisions)
          throw notFound()
        }
        if (losesOwner) await this.confirmOtherOwner(id, { is_active: true })
        await this.sessions.deleteAll(administratorHolder(id))
        if (!(await this.administrators.delete(id))) throw notFound()
      },
    })
    await this.announcer.announceChange()
    return {}
  }

  /** Also used when a password was forgotten (admin.md#invitations). */
  @Handles(inviteAdministrator)
  async inviteAdministrator({ body: { id, caller } }: CallOf<typeof inviteAdministrator>) {
    const { name, is_active } = await this.find(id)
    if (!is_active) throw new AppError('CONFLICT', 'The administrator is not active.')
    const { shown, stored } = await this.newInvitation()
    await this.changes.record(caller, {
      action: 'administrator.invite',
      details: { id, name, expires_at: shown.expires_at },
      make: async () => {
        if (!(await this.administrators.setInvitation(id, stored))) throw notFound()
      },
    })
    return shown
  }

  @Handles(closeAdministratorSessions)
  async closeAdministratorSessions({ body: { id, caller } }: CallOf<typeof closeAdministratorSessions>) {
    const { name } = await this.find(id)
    await this.changes.record(caller, {
      action: 'administrator.close-sessions',
      details: { id, name },
      make: () => this.sessions.deleteAll(administratorHolder(id)),
      resultDetails: (closed) => ({ closed }),
    })
    await this.announcer.announceChange()
    return {}
  }

  private async find(id: number): Promise<AdministratorDocument> {
    const found = await this.administrators.findById(id)
    if (!found) throw notFound()
    return found
  }

  private async newInvitation() {
    const token = randomBytes(32).toString('base64url')
    const expires_at = new Date((await this.administrators.now()).getTime() + INVITATION_MS)
    return {
      shown: { token, expires_at: expires_at.toISOString() },
      stored: { sha256: sessionDigest(token), expires_at },
    }
  }

  /** Of two owners who remove each other one succeeds, and the other one is refused (admin.md#last-owner). */
  private oneAtATime<Result>(administrator: AdministratorDocument, change: () => Promise<Result>): Promise<Result> {
    return isActiveOwner(administrator) ? this.leases.withLease(OWNERS, OWNERS_LEASE, change) : change()
  }

  private async assertOtherOwner(id: number): Promise<void> {
    if (await this.administrators.hasOtherOwner(id)) return
    throw new AppError('CONFLICT', 'The last active owner cannot be deleted, deactivated or given another role.')
  }

  /** Restores the owner when the lease was lost and the other one was removed meanwhile; both are refused then. */
  private async confirmOtherOwner(id: number, before: Pick<AdministratorPatch, 'role' | 'is_active'>): Promise<void> {
    try {
      await this.assertOtherOwner(id)
    } catch (error) {
      await this.administrators.update(id, before)
      throw error
    }
  }

  /** @throws AppError CHANGED with the administrator as it is now */
  private async assertUnchanged(current: AdministratorDocument, accepted: readonly number[] | undefined) {
    if (accepted) assertRevision(accepted, await this.show(current))
  }

  private async show(administrator: AdministratorDocument): Promise<Administrator & { revision: number }> {
    const open = await this.sessions.countOpen([administrator._id])
    return { ...viewAdministrator(administrator, open.get(administrator._id) ?? 0), revision: administrator.rev }
  }
}

function isActiveOwner({ role, is_active }: Pick<AdministratorDocument, 'role' | 'is_active'>): boolean {
  return role === 'owner' && is_active
}

/** What a patch replaces, of the fields that make an owner. */
function fieldsBefore({ role, is_active }: AdministratorDocument, sent: AdministratorPatch) {
  return { ...(sent.role !== undefined && { role }), ...(sent.is_active !== undefined && { is_active }) }
}

/** What a patch replaces, for the audit log. */
function replacedFields(before: AdministratorDocument, sent: AdministratorPatch): Record<string, unknown> {
  const { display_name, role, is_active } = before
  return Object.fromEntries(Object.entries({ display_name, role, is_active }).filter(([field]) => field in sent))
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', texts.notFound)
}

function nameTaken(): AppError {
  return contractViolation({ name: ['The name has already been taken.'] }, 'taken')
}
