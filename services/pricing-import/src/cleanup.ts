import { Inject, Injectable } from '@nestjs/common'
import { AppError } from '@partsbus/contracts/app-error'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { TaskCleanup } from './import-tasks/task-cleanup.js'
import { PriceListDeletions } from './price-lists/price-list-deletions.js'
import type { UploadReader } from '@partsbus/upload-store/upload-reader'
import { UPLOADS } from './uploads/checked-uploads.js'
import { VersionCleanup } from './versions/version-cleanup.js'

const LEASE_MS = 60_000

/** Deletes dropped versions, tasks past their retention, and what killed processes left. */
@Injectable()
export class Cleanup {
  constructor(
    private readonly versions: VersionCleanup,
    private readonly tasks: TaskCleanup,
    private readonly deletions: PriceListDeletions,
    @Inject(UPLOADS) private readonly uploads: UploadReader,
    private readonly leases: LeaseStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Cleans up, unless another process does. */
  async cleanExclusively(): Promise<void> {
    try {
      await this.leases.withLease('cleanup', { leaseMs: LEASE_MS, waitMs: 0, isRenewed: true }, (signal) =>
        this.clean(signal),
      )
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'OVERLOADED')) throw error
    }
  }

  /** A step that fails does not keep the others from being tried, unless the database is down. */
  async clean(signal?: AbortSignal): Promise<void> {
    const steps = [
      () => this.versions.discardFailed(),
      () => this.versions.deleteRemoved(),
      () => this.deletions.finishDeletions(),
      () => this.tasks.deleteOverdue(),
      () => this.uploads.sweep(),
      () => this.tasks.deleteUnusedFiles(),
    ]
    for (const step of steps) {
      signal?.throwIfAborted()
      try {
        await step()
      } catch (error) {
        if (isDatabaseDown(error)) throw error
        this.log.warn({ err: error }, 'cleanup step failed')
      }
    }
  }
}
