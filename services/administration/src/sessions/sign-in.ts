import { randomBytes } from 'node:crypto'
import { Controller, Inject } from '@nestjs/common'
import { acceptInvitation, getSignIn, type NewSession, signInBy } from '@partsbus/contracts/administration/accounts'
import type { Caller } from '@partsbus/contracts/administration/caller'
import { AppError } from '@partsbus/contracts/app-error'
import type { RequestOf } from '@partsbus/contracts/message'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { addressKey } from '@partsbus/platform/net/address-key'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { type AdministratorDocument, AdministratorStore } from '../administrators/administrator-store.js'
import { AttemptLimit, nameDigest } from '../administrators/attempt-limit.js'
import { TOKEN_HOLDER_NAME } from '../administrators/administrators.js'
import { hashPassword, verifyPassword } from '../administrators/password.js'
import { PasswordQueue } from '../administrators/password-queue.js'
import { Changes } from '../audit/changes.js'
import { SessionAnnouncer } from './session-announcer.js'
import { administratorHolder, holderKey, sessionDigest, SessionStore } from './session-store.js'
import { viewOpenSession } from './session-view.js'

type Browser = Pick<RequestOf<typeof signInBy>, 'agent' | 'replaced' | 'token_holder' | 'caller'>

/** Opens sessions (admin.md#sign-in). */
@Controller()
export class SignIn {
  constructor(
    private readonly administrators: AdministratorStore,
    private readonly sessions: SessionStore,
    private readonly announcer: SessionAnnouncer,
    private readonly attempts: AttemptLimit,
    private readonly passwords: PasswordQueue,
    private readonly changes: Changes,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** admin.md#sign-in-first */
  @Handles(getSignIn)
  async getSignIn() {
    return { has_accounts: await this.administrators.hasAccounts() }
  }

  @Handles(signInBy)
  async signInBy({ body }: CallOf<typeof signInBy>) {
    const { caller, is_token_right: isTokenRight, name = '', password = '' } = body
    const administrator =
      isTokenRight === undefined
        ? await this.checkPassword(caller, name, password)
        : await this.checkToken(caller, isTokenRight)
    return this.openSession(body, administrator)
  }

  /** admin.md#invitations: the new password ends the sessions of the one before. */
  @Handles(acceptInvitation)
  async acceptInvitation({ body }: CallOf<typeof acceptInvitation>) {
    const { caller } = body
    const sha256 = sessionDigest(body.token)
    this.attempts.assertAddress(addressOf(caller))
    const invited = await this.administrators.findByInvitation(sha256)
    if (!invited) return this.refuse(caller, null, invitationInvalid())
    const password = await this.passwords.run(sha256, () => hashPassword(body.password), true)
    const joined = await this.changes.record(asAdministrator(caller, invited), {
      action: 'administrator.join',
      details: { id: invited._id },
      make: async () => {
        const administrator = await this.administrators.acceptInvitation(sha256, password)
        if (!administrator) throw invitationInvalid()
        return administrator
      },
    })
    if ((await this.sessions.deleteAll(administratorHolder(joined._id))) > 0) await this.announcer.announceChange()
    return this.openSession(body, joined)
  }

  /** Takes the same time for a name that is unknown, has no password or is switched off. */
  private async checkPassword(caller: Caller, name: string, password: string): Promise<AdministratorDocument> {
    const address = addressOf(caller)
    const digest = nameDigest(name)
    this.attempts.assertAddress(address)
    const administrator = await this.administrators.findByName(name)
    const isKnown = administrator?.addresses?.includes(addressKey(address)) === true
    const check = async (): Promise<AdministratorDocument> => {
      this.attempts.start(address, digest, isKnown)
      const isRight = await verifyPassword(password, administrator?.is_active ? administrator.password : null)
      if (!administrator || !isRight) return this.refuse(caller, { digest, administrator }, wrongPassword())
      await this.attempts.succeed(address, digest)
      return administrator
    }
    return this.passwords.run(`${addressKey(address)} ${digest}`, check, isKnown)
  }

  private async checkToken(caller: Caller, isRight: boolean): Promise<null> {
    this.attempts.assertAddress(addressOf(caller))
    return isRight ? null : this.refuse(caller, null, wrongPassword())
  }

  /** Counts a refused attempt, and records some (admin.md#audit). A name that nobody has may be a password. */
  private async refuse(
    caller: Caller,
    attempt: { digest: string; administrator: AdministratorDocument | null } | null,
    error: AppError,
  ): Promise<never> {
    const known = attempt?.administrator
    const address = addressOf(caller)
    const isRecorded = this.attempts.shouldRecord(address, known ? attempt?.digest : null)
    await this.attempts.fail(address, attempt?.digest)
    if (isRecorded) {
      await this.changes
        .record(known ? asAdministrator(caller, known) : caller, {
          action: 'session.refused',
          details: {},
          make: async () => undefined,
        })
        .catch((failure: unknown) => this.log.warn({ err: failure }, 'refused sign-in not recorded'))
    }
    throw error
  }

  /** The id of a session changes at every sign-in, and the one before it ends. */
  private async openSession(browser: Browser, administrator: AdministratorDocument | null): Promise<NewSession> {
    const { agent, replaced, token_holder, caller } = browser
    const administratorId = administrator?._id ?? null
    const token = randomBytes(32).toString('base64url')
    const session = await this.changes.record(asAdministrator(caller, administrator), {
      action: 'session.open',
      details: {},
      make: async () => {
        const opened = await this.sessions.open({
          token,
          holder: holderKey({ administrator_id: administratorId, token_holder }),
          administratorId,
          address: caller.address,
          agent,
        })
        if (administrator && !(await this.isUnchanged(administrator))) {
          await this.sessions.delete(opened._id, opened.holder)
          throw wrongPassword()
        }
        return opened
      },
      resultDetails: ({ _id }) => ({ id: _id }),
    })
    if (administrator)
      await this.administrators.recordSignIn(administrator, session.seen_at, addressKey(addressOf(caller)))
    if (replaced !== null && (await this.sessions.deleteByDigest(replaced))) await this.announcer.announceChange()
    return { token, ...viewOpenSession(session, administrator) }
  }

  /**
   * False when the password was replaced, or the administrator switched off, while the old one was being checked. Those
   * changes are written before they end the sessions: either they see the new session, or this sees them.
   */
  private async isUnchanged({ _id, password }: AdministratorDocument): Promise<boolean> {
    const now = await this.administrators.findById(_id)
    return now?.is_active === true && now.password?.key === password?.key
  }
}

function asAdministrator(caller: Caller, administrator: AdministratorDocument | null): Caller {
  const { id, name } = administrator
    ? { id: administrator._id, name: administrator.name }
    : { id: null, name: TOKEN_HOLDER_NAME }
  return { ...caller, administrator: { id, name } }
}

function addressOf({ address }: Caller): string | undefined {
  return address ?? undefined
}

function wrongPassword(): AppError {
  return new AppError('UNAUTHENTICATED', 'The name or the password is wrong.')
}

function invitationInvalid(): AppError {
  return new AppError('NOT_FOUND', 'The invitation is no longer valid.')
}
