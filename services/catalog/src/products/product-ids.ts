import { Inject, Injectable } from '@nestjs/common'
import { getHighestProductId } from '@partsbus/contracts/stock/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'

export const COUNTER = 'product'
const TIMEOUT_MS = 2_000

/**
 * Ids of new products. Supplies refer to products by them, and the catalog may have been restored from an older backup
 * than the stock: the ids of lost products must not be allocated again, or new products would inherit their stock. So
 * the first product of a process waits for the highest id that the stock stores. When the stock does not answer, or is
 * of a release that cannot, the process skips more ids than can have been lost (rules.md#restored-ids).
 */
@Injectable()
export class ProductIds {
  private isAboveStock = false
  private question: Promise<void> | undefined
  private firstAnswer: Promise<void> | undefined

  constructor(
    private readonly counters: CounterStore,
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Allocates only ids above the highest stored one. */
  startAbove(findHighest: () => Promise<number>): Promise<void> {
    return this.counters.startAbove(COUNTER, findHighest)
  }

  /** @returns the first of `count` consecutive ids */
  async allocate(count: number): Promise<number> {
    if (!this.isAboveStock) await (this.firstAnswer ??= this.askOrSkip())
    return this.counters.allocate(COUNTER, count)
  }

  /** Asks the stock, once in the life of the process. @throws AppError when it does not answer */
  askStock(): Promise<void> {
    if (this.isAboveStock) return Promise.resolve()
    this.question ??= this.raise().finally(() => {
      this.question = undefined
    })
    return this.question
  }

  private async raise(): Promise<void> {
    const { product_id } = await this.calls.request(getHighestProductId, {}, { timeoutMs: TIMEOUT_MS })
    await this.counters.raiseAbove(COUNTER, product_id)
    this.isAboveStock = true
  }

  private async askOrSkip(): Promise<void> {
    try {
      await this.askStock()
    } catch (error) {
      this.log.warn({ err: error }, 'product ids skipped: the stock does not answer')
      await this.counters.skip(COUNTER).catch((failed: unknown) => {
        this.firstAnswer = undefined
        throw failed
      })
    }
  }
}
