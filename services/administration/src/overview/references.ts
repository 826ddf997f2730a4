import { Controller } from '@nestjs/common'
import { listReferences } from '@partsbus/contracts/administration/commands'
import type { References as Shown } from '@partsbus/contracts/administration/overview'
import { getPriceListReferences } from '@partsbus/contracts/pricing-import/overview'
import { getStockReferences } from '@partsbus/contracts/stock/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { AdministratorStore } from '../administrators/administrator-store.js'

/** How long a service may take for its names, in ms. */
const TIMEOUT_MS = 10_000

/** `GET /references` (admin.md#names) */
@Controller()
export class References {
  constructor(
    private readonly calls: BusClient,
    private readonly administrators: AdministratorStore,
  ) {}

  @Handles(listReferences)
  async listReferences({ settings }: CallOf<typeof listReferences>): Promise<Shown> {
    const options = { timeoutMs: TIMEOUT_MS, settings }
    const [stock, pricing, owners] = await Promise.all([
      this.calls.request(getStockReferences, {}, options),
      this.calls.request(getPriceListReferences, {}, options),
      this.administrators.listOwnerNames(),
    ])
    return { ...stock, ...pricing, owners }
  }
}
