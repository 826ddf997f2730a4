import { Inject, Injectable } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { ReferenceDataLock } from '../reference-data-lock.js'
import { StorageStore } from './storage-store.js'
import { resealSupplier, tryToOpenSupplier } from './supplier-record.js'

const RESEAL_WAIT_MS = 10_000

@Injectable()
export class ResealSecrets {
  constructor(
    private readonly storages: StorageStore,
    private readonly secrets: SecretBox,
    private readonly lock: ReferenceDataLock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Encrypts header values of an older key with the current one, so that the older key can be removed. */
  async resealSecrets(): Promise<void> {
    for (const { id } of await this.storages.listSealed()) {
      await this.lock.run(RESEAL_WAIT_MS, async () => {
        const storage = await this.storages.get(id)
        if (!storage || tryToOpenSupplier(storage, this.secrets, this.log) === null) return
        const supplier = resealSupplier(id, storage.supplier, this.secrets)
        if (supplier) await this.storages.replaceSealed({ ...storage, supplier })
      })
    }
  }
}
