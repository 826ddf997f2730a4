import { Controller } from '@nestjs/common'
import { patchAccount } from '@partsbus/contracts/administration/accounts'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { HIDDEN } from '@partsbus/contracts/stock/storage'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { addressKey } from '@partsbus/platform/net/address-key'
import { type AdministratorDocument, AdministratorStore } from '../administrators/administrator-store.js'
import { AttemptLimit, nameDigest } from '../administrators/attempt-limit.js'
import { assertClearNames } from '../administrators/clear-name.js'
import { hashPassword, type PasswordHash, verifyPassword } from '../administrators/password.js'
import { PasswordQueue } from '../administrators/password-queue.js'
import { Changes } from '../audit/changes.js'
import { SessionAnnouncer } from './session-announcer.js'
import { administratorHolder, SessionStore } from './session-store.js'
import { viewAccount } from './session-view.js'

/** The caller's own name, language and password (admin.md#own-account). */
@Controller()
export class OwnAccount {
  constructor(
    private readonly administrators: AdministratorStore,
    private readonly sessions: SessionStore,
    private readonly announcer: SessionAnnouncer,
    private readonly attempts: AttemptLimit,
    private readonly passwords: PasswordQueue,
    private readonly changes: Changes,
  ) {}

  @Handles(patchAccount)
  async patchAccount({ body: { id, session_id, patch, caller } }: CallOf<typeof patchAccount>) {
    const administrator = await this.administrators.findById(id)
    if (!administrator) throw unauthenticated()
    assertClearNames(patch, administrator)
    const { password: sent, ...fields } = patch
    const password = sent && (await this.replacePassword(caller.address ?? undefined, administrator, sent))
    const changed = await this.changes.record(caller, {
      action: 'administrator.patch',
      details: { id, ...patch, ...(sent && { password: HIDDEN }) },
      make: () => this.administrators.update(id, definedFields({ ...fields, password })),
    })
    if (!changed) throw unauthenticated()
    if (password) await this.sessions.deleteAll(administratorHolder(id), session_id)
    await this.announcer.announceChange()
    return { administrator: viewAccount(changed) }
  }

  /** Guesses of the current password are limited like those of a sign-in. */
  private async replacePassword(
    address: string | undefined,
    { name, password, addresses }: AdministratorDocument,
    { current, next }: { current: string; next: string },
  ): Promise<PasswordHash> {
    const digest = nameDigest(name)
    const replace = async (): Promise<PasswordHash> => {
      this.attempts.start(address, digest, addresses?.includes(addressKey(address)))
      if (await verifyPassword(current, password)) return hashPassword(next)
      await this.attempts.fail(address, digest)
      throw contractViolation({ 'password.current': ['The current password is wrong.'] })
    }
    return this.passwords.run(`${addressKey(address)} ${digest}`, replace, true)
  }
}

/** A field that is undefined would be stored as null. */
function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}

function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', texts.unauthenticated)
}
