import { Controller } from '@nestjs/common'
import {
  beginAuditEntry,
  completeAuditEntry,
  deleteAuditEntry,
  listAudit,
} from '@partsbus/contracts/administration/audit'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { AuditStore } from './audit-store.js'

/** The audit log, also of the changes that other services make (admin.md#audit). */
@Controller()
export class Audit {
  constructor(private readonly store: AuditStore) {}

  @Handles(beginAuditEntry)
  async beginAuditEntry({ body }: CallOf<typeof beginAuditEntry>) {
    return { id: await this.store.begin(body) }
  }

  @Handles(completeAuditEntry)
  async completeAuditEntry({ body }: CallOf<typeof completeAuditEntry>) {
    await this.store.complete(body.id, body.details, body.entity_id)
    return {}
  }

  @Handles(deleteAuditEntry)
  async deleteAuditEntry({ body }: CallOf<typeof deleteAuditEntry>) {
    await this.store.delete(body.id)
    return {}
  }

  @Handles(listAudit)
  listAudit({ body }: CallOf<typeof listAudit>) {
    return this.store.list(body)
  }
}
