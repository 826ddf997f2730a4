import { expect } from '@jest/globals'
import { readAttempts } from './import-records.js'
import { ListReader } from './list-reader.js'
import { expectedCounts, markedText, readLive, readSkipped } from './marked-list.js'
import { ended, lookAt, type PartnerList, type PartnerShop, scheduled } from '../testing/partner-shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

/** The result of an import, without the version. */
interface Outcome {
  offers: number
  hash: string
  skipped: string
}

/** Price lists that are imported concurrently and repeatedly during faults. */
export class DisturbedImports {
  private version = 2
  private undisturbed: Outcome | undefined
  /** of the imports without a fault */
  private undisturbedMs = 0

  private constructor(
    private readonly shop: PartnerShop,
    readonly lists: PartnerList[],
    private readonly rows: number,
  ) {}

  /** Creates the lists and imports each once without a fault, as the expected result of later imports. */
  static async open(
    shop: PartnerShop,
    { lists: count, rows }: { lists: number; rows: number },
  ): Promise<DisturbedImports> {
    const lists = await Promise.all(Array.from({ length: count }, (_, index) => shop.newList(`List ${index + 1}`)))
    const imports = new DisturbedImports(shop, lists, rows)
    const startedAt = performance.now()
    const tasks = await imports.begin()
    await ended(shop, tasks, 120_000)
    imports.undisturbedMs = performance.now() - startedAt
    const outcomes = await Promise.all(lists.map((list, index) => imports.outcomeOf(list, tasks[index] ?? 0)))
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    imports.undisturbed = outcomes[0]
    return imports
  }

  /** `laterMs`, and the duration of undisturbed imports, which other work on the machine may make longer now. */
  deadlineMs(laterMs: number): number {
    return laterMs + Math.max(10_000, 3 * this.undisturbedMs)
  }

  get allRows(): number {
    return this.rows * this.lists.length
  }

  /** Uploads the next version of each list. @returns the tasks */
  begin(): Promise<number[]> {
    this.version += 1
    return Promise.all(this.lists.map((list) => scheduled(this.shop, list, markedText(this.rows, this.version))))
  }

  /** Waits until this many rows of the tasks are processed. */
  async reached(tasks: number[], rows: number): Promise<void> {
    const done = new Map<number, number>()
    const look = async (task: number) =>
      done.set(task, (await lookAt(this.shop, task))?.processed_rows ?? done.get(task) ?? 0)
    await waitFor(
      async () => {
        await Promise.all(tasks.map(look))
        return [...done.values()].reduce((sum, count) => sum + count, 0)
      },
      (sum) => sum >= rows,
      120_000,
      30,
    )
  }

  /**
   * Imports all lists while `fault` runs and a partner reads them, and expects the same result as without a fault, at
   * most `withinMs` later.
   * @returns claims of each import, and the time from the fault to the end of the last import
   */
  async during(
    fault: (tasks: number[]) => Promise<void>,
    withinMs = 35_000,
  ): Promise<{ claims: number[]; msAfter: number; reads: number; unavailable: number }> {
    const reader = new ListReader(this.shop.partner, this.lists, this.rows)
    try {
      const tasks = await this.begin()
      await fault(tasks)
      const overAt = Date.now()
      const seen = await ended(this.shop, tasks, this.deadlineMs(withinMs))
      const msAfter = Date.now() - overAt
      for (const task of seen)
        expect(task).toMatchObject({ status: 'completed', error_message: null, ...expectedCounts(this.rows) })
      for (const [index, list] of this.lists.entries())
        expect(await this.outcomeOf(list, tasks[index] ?? 0)).toEqual(this.undisturbed)
      await reader.stop()
      expect(reader.errors).toEqual([])
      expect(reader.complete).toBeGreaterThan(0)
      const claims = [...(await readAttempts(this.shop.product, tasks)).values()]
      return { claims, msAfter, reads: reader.complete, unavailable: reader.unavailable }
    } finally {
      await reader.stop()
    }
  }

  /**
   * Claims of each import during a fault that should leave them with their workers: those of the attempt with the
   * fewest. A lease is short here, so it may expire on a busy machine.
   */
  async fewestClaims(fault: (tasks: number[]) => Promise<void>): Promise<number[]> {
    let fewest: number[] | undefined
    const sum = (claims: number[]) => claims.reduce((all, count) => all + count, 0)
    for (let attempt = 0; attempt < 3; attempt++) {
      const { claims } = await this.during(fault)
      if (!fewest || sum(claims) < sum(fewest)) fewest = claims
      if (sum(fewest) === this.lists.length) break
    }
    return fewest ?? []
  }

  private async outcomeOf(list: PartnerList, task: number): Promise<Outcome> {
    const { version, ...live } = await readLive(this.shop.product, list)
    expect(version).toBe(this.version)
    return { ...live, skipped: await readSkipped(this.shop, task) }
  }
}
