import { Inject, Injectable } from '@nestjs/common'
import { administratorsChanged } from '@partsbus/contracts/gateway/commands'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { BUS } from '@partsbus/platform/process/injection-tokens'

/** Tells the gateways that sessions or administrators have changed. */
@Injectable()
export class SessionAnnouncer {
  constructor(@Inject(BUS) private readonly bus: BusConnection) {}

  /** Resolves when no gateway serves by an earlier state of sessions and administrators (admin.md#revocation). */
  announceChange(): Promise<void> {
    return publishInvalidation(this.bus, administratorsChanged.subject)
  }
}
