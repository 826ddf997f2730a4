import { Inject, Injectable } from '@nestjs/common'
import { showBrands } from '@partsbus/contracts/supplier-search/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'

/** A preview is worth more without synonyms than late, ms. */
const LIMIT_MS = 1_500

/** Asks the search under which names partners see brands. */
@Injectable()
export class ShownBrands {
  constructor(
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @returns the names in the order of the brands; none while the search does not answer */
  async list(brands: string[], timeLeftMs: number): Promise<string[]> {
    if (brands.length === 0) return []
    try {
      return (await this.calls.request(showBrands, { brands }, { timeoutMs: Math.min(LIMIT_MS, timeLeftMs) })).brands
    } catch (error) {
      this.log.debug({ err: error }, 'brands not resolved')
      return []
    }
  }
}
