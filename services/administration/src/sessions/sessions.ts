import { Controller, Inject } from '@nestjs/common'
import {
  closeOtherSessions,
  closeSession,
  findSessions,
  getOpenSession,
  listSessions,
} from '@partsbus/contracts/administration/accounts'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { AdministratorStore } from '../administrators/administrator-store.js'
import { Changes } from '../audit/changes.js'
import { SessionAnnouncer } from './session-announcer.js'
import { holderKey, type SessionDocument, SessionStore } from './session-store.js'
import { viewOpenSession } from './session-view.js'

/** admin.md#sessions */
@Controller()
export class Sessions {
  constructor(
    private readonly sessions: SessionStore,
    private readonly administrators: AdministratorStore,
    private readonly announcer: SessionAnnouncer,
    private readonly changes: Changes,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Handles(findSessions)
  async findSessions({ body }: CallOf<typeof findSessions>) {
    return { open: await this.sessions.findAllOpen(body.digests) }
  }

  @Handles(getOpenSession)
  async getOpenSession({ body: { digest, token_holder } }: CallOf<typeof getOpenSession>) {
    const session = await this.sessions.findOpen(digest)
    if (!session) return { opened: null }
    if (session.administrator_id === null) {
      if (session.holder !== token_holder) return { opened: null }
      this.recordSeen(session)
      return { opened: viewOpenSession(session, null) }
    }
    const administrator = await this.administrators.findById(session.administrator_id)
    if (!administrator?.is_active) return { opened: null }
    this.recordSeen(session)
    return { opened: viewOpenSession(session, administrator) }
  }

  /** Newest first. */
  @Handles(listSessions)
  async listSessions({ body }: CallOf<typeof listSessions>) {
    const open = await this.sessions.listOpen(holderKey(body))
    return {
      sessions: open.map(({ _id, started_at, seen_at, address, agent }) => ({
        id: _id,
        started_at: started_at.toISOString(),
        seen_at: seen_at.toISOString(),
        address,
        agent,
      })),
    }
  }

  @Handles(closeSession)
  async closeSession({ body: { id, may_be_gone, caller, ...holder } }: CallOf<typeof closeSession>) {
    await this.changes.record(caller, {
      action: 'session.close',
      details: { id },
      make: async () => {
        const isClosed = await this.sessions.delete(id, holderKey(holder))
        if (!isClosed && !may_be_gone) throw new AppError('NOT_FOUND', texts.notFound)
      },
    })
    await this.announcer.announceChange()
    return {}
  }

  @Handles(closeOtherSessions)
  async closeOtherSessions({ body: { kept, caller, ...holder } }: CallOf<typeof closeOtherSessions>) {
    await this.changes.record(caller, {
      action: 'session.close',
      details: {},
      make: () => this.sessions.deleteAll(holderKey(holder), kept ?? undefined),
      resultDetails: (closed) => ({ closed }),
    })
    await this.announcer.announceChange()
    return {}
  }

  private recordSeen(session: SessionDocument): void {
    const record = async (): Promise<void> => {
      const at = await this.sessions.recordSeen(session)
      if (at && session.administrator_id !== null) await this.administrators.recordSeen(session.administrator_id, at)
    }
    record().catch((error: unknown) => this.log.warn({ err: error }, 'session activity not recorded'))
  }
}
