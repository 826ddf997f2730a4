import { Inject, Injectable } from '@nestjs/common'
import type { Caller } from '@partsbus/contracts/administration/caller'
import { type Change, recordChange } from '@partsbus/contracts/administration/record-change'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { AuditStore } from './audit-store.js'

/** The service's own changes, each with its entry in the audit log. */
@Injectable()
export class Changes {
  constructor(
    private readonly audit: AuditStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws AppError as {@link recordChange} does */
  record<Result>(caller: Caller, { make, ...change }: Change<Result>): Promise<Result> {
    const makeOrRefuse = (): Promise<Result> =>
      make().catch((error: unknown) => {
        throw toAppError(error)
      })
    return recordChange({ audit: this.audit, caller, log: this.log }, { ...change, make: makeOrRefuse })
  }
}
