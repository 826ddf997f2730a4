import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { isBack, keepAway } from '../testing/outage.js'
import type { PartnerShop } from '../testing/partner-shop.js'
import { waitFor } from '../testing/shop.js'
import type { DisturbedImports } from './disturbed-imports.js'

const KILLS = 10

/** Promise 3: an import that is disturbed ends as one that is not, and readers see the old list or the new one. */
export function importFaults(open: () => PartnerShop, begun: () => DisturbedImports): void {
  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e6))
  const runs = (name: string) => open().product.processes(name).length > 0
  const back = (name: string) => waitFor(() => isBack(open().product, name), Boolean, 30_000, 20)

  describe('imports', () => {
    it(`whose workers are killed at ten random points (FAULTS_SEED=${seed})`, async () => {
      const random = randomOf(seed)
      const points = Array.from({ length: KILLS }, () => Math.floor(random() * begun().allRows * 0.95)).toSorted(
        (one, other) => one - other,
      )
      const { claims } = await begun().during(async (tasks) => {
        for (const point of points) {
          await begun().reached(tasks, point)
          const running = await waitFor(
            async () => open().product.processes('pricing-import'),
            (found) => found.length > 0,
          )
          process.kill(running[Math.floor(random() * running.length)]?.pid ?? 0, 'SIGKILL')
        }
      })
      const again = claims.reduce((sum, count) => sum + count - 1, 0)
      expect(again).toBeGreaterThan(0)
      // each process imports two lists at once
      expect(again).toBeLessThanOrEqual(KILLS * 2)
    })

    it('while the bus is away for a second', async () => {
      const { claims } = await begun().during(async (tasks) => {
        await begun().reached(tasks, begun().allRows / 8)
        await keepAway(open().product, 'nats', () => delay(1_000))
        await back('nats')
      })
      expect(claims).toEqual(begun().lists.map(() => 1))
    })

    it('while the bus comes back without anything that it had stored, and uploads after that', async () => {
      const { claims } = await begun().during(async (tasks) => {
        await begun().reached(tasks, begun().allRows / 8)
        await keepAway(open().product, 'nats', async () =>
          rmSync(join(open().product.stateDir, 'nats', 'jetstream'), { recursive: true }),
        )
        await back('nats')
      })
      expect(claims).toEqual(begun().lists.map(() => 1))
      await begun().during(async () => undefined)
    })

    it('while the database is away for 20 s', async () => {
      const servers = ['postgres', 'ferretdb', 'mongod'].filter(runs)
      const { claims } = await begun().during(async (tasks) => {
        await begun().reached(tasks, begun().allRows / 8)
        for (const name of servers) await keepAway(open().product, name, () => delay(20_000 / servers.length))
        for (const name of servers) await back(name)
      })
      // an answer that got lost may cost a claim its worker
      for (const count of claims) expect(count).toBeLessThanOrEqual(2)
    })
  })
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
