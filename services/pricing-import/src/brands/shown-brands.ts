import { Inject, Injectable } from '@nestjs/common'
import { showBrands } from '@partsbus/contracts/supplier-search/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { ImportableRow } from '../rows/read-row.js'

/** A preview is worth more without synonyms than late, ms. */
const LIMIT_MS = 1_500

/** Asks the search under which names partners see brands. */
@Injectable()
export class ShownBrands {
  constructor(
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** While the search does not answer, a brand is shown as one without synonyms. */
  async show(
    rows: ReadonlyArray<Pick<ImportableRow, 'brand' | 'brand_key'>>,
    timeLeftMs: number,
  ): Promise<Record<string, string>> {
    const keys = new Map(rows.map(({ brand, brand_key }) => [brand, brand_key]))
    const names = await this.resolve([...keys.keys()], timeLeftMs)
    return Object.fromEntries([...keys].map(([brand, key], index) => [brand, names[index] ?? key]))
  }

  private async resolve(brands: string[], timeLeftMs: number): Promise<string[]> {
    if (brands.length === 0) return []
    try {
      return (await this.calls.request(showBrands, { brands }, { timeoutMs: Math.min(LIMIT_MS, timeLeftMs) })).brands
    } catch (error) {
      this.log.debug({ err: error }, 'brands not resolved')
      return []
    }
  }
}
