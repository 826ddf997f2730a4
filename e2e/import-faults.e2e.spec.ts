import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { DisturbedImports } from './faults/disturbed-imports.js'
import { readAttempts } from './faults/import-records.js'
import { markedText, readLive } from './faults/marked-list.js'
import { isBack, keepAway } from './testing/outage.js'
import { ended, openPartnerShop, type PartnerList, type PartnerShop, scheduled } from './testing/partner-shop.js'
import { signalProcess } from '@partsbus/local-stack/signal-process'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(400_000)

/**
 * Shorter than in production, so that another worker takes over soon; restarts.long has the lease of production.
 */
const LEASE_MS = 3_000
const KILLS = 10
const ROWS = 400

describe('imports under repeated faults (promises.md#promise-3)', () => {
  let shop: PartnerShop
  let imports: DisturbedImports
  const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e6))
  const runs = (name: string) => shop.product.processes(name).length > 0
  const back = (name: string) => waitFor(() => isBack(shop.product, name), Boolean, 60_000, 20)

  beforeAll(async () => {
    shop = await openPartnerShop({
      replicas: 'pricing-import=2',
      env: { IMPORT_LEASE_MS: String(LEASE_MS), IMPORT_BATCH_ROWS: '500' },
    })
    imports = await DisturbedImports.open(shop, { lists: 4, rows: 5_000 })
  }, 300_000)
  afterAll(() => shop?.stop())

  it(`survive ten kills of their workers at random points (FAULTS_SEED=${seed})`, async () => {
    const random = randomOf(seed)
    const killTen = async (tasks: number[]) => {
      const points = Array.from({ length: KILLS }, () => Math.floor(random() * imports.allRows * 0.95))
      for (const point of points.toSorted((one, other) => one - other)) {
        await imports.reached(tasks, point)
        const choice = random()
        // the list still names a process that was just killed
        await waitFor(
          async () => {
            const alive = shop.product.processes('pricing-import').filter(({ pid }) => signalProcess(pid, 0))
            const chosen = alive[Math.floor(choice * alive.length)]
            return chosen !== undefined && signalProcess(chosen.pid, 'SIGKILL')
          },
          Boolean,
          60_000,
          10,
        )
      }
    }
    let again = 0
    // on a busy machine all imports may be completed before it is noticed how far they are
    for (let attempt = 0; attempt < 5 && again === 0; attempt++) {
      const { claims } = await imports.during(killTen)
      again = claims.reduce((sum, count) => sum + count - 1, 0)
      // Each process imports two lists at once.
      expect(again).toBeLessThanOrEqual(KILLS * 2)
    }
    expect(again).toBeGreaterThan(0)
  })

  it('survive a bus that is down for a second', async () => {
    const claims = await imports.fewestClaims(async (tasks) => {
      await imports.reached(tasks, imports.allRows / 8)
      await keepAway(shop.product, 'nats', () => delay(1_000))
      await back('nats')
    })
    expect(claims).toEqual(imports.lists.map(() => 1))
  })

  it('survive a bus that comes back empty, and so do later uploads', async () => {
    const claims = await imports.fewestClaims(async (tasks) => {
      await imports.reached(tasks, imports.allRows / 8)
      await keepAway(shop.product, 'nats', async () =>
        rmSync(join(shop.product.stateDir, 'nats', 'jetstream'), { recursive: true, force: true, maxRetries: 10 }),
      )
      await back('nats')
    })
    expect(claims).toEqual(imports.lists.map(() => 1))
    await imports.during(async () => undefined)
  })

  it('survive a database that is down for 20 s', async () => {
    const servers = ['postgres', 'ferretdb', 'mongod'].filter(runs)
    const stopServers = async (tasks: number[]) => {
      await imports.reached(tasks, imports.allRows / 8)
      for (const name of servers) await keepAway(shop.product, name, () => delay(20_000 / servers.length))
      for (const name of servers) await back(name)
    }
    let most = Infinity
    // A lost response may leave a claim without a worker. On a busy machine a lease may expire as well.
    for (let attempt = 0; attempt < 3 && most > 2; attempt++)
      most = Math.max(...(await imports.during(stopServers)).claims)
    expect(most).toBeLessThanOrEqual(2)
  })

  describe('of malicious files', () => {
    let list: PartnerList
    let version = 2
    const live = async () => (await readLive(shop.product, list)).version
    beforeEach(async () => {
      list = await shop.newList('Poisoned')
    })

    it('fail when the file kills its reader each time, and the next upload is imported', async () => {
      const poisoned = await scheduled(shop, list, markedText(60_000, 900))
      const innocent = await scheduled(shop, list, markedText(ROWS, (version += 1)))
      const state = { over: false }
      const killer = (async () => {
        while (!state.over) {
          for (const pid of readersOf(shop)) if (hasFileOpen(pid)) signalProcess(pid, 'SIGKILL')
          await delay(5)
        }
      })()
      const [failed] = await ended(shop, [poisoned], 180_000).finally(() => (state.over = true))
      await killer
      expect(failed).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/\w/) })
      expect((await readAttempts(shop.product, [poisoned])).get(poisoned)).toBeLessThanOrEqual(5)
      expect(await ended(shop, [innocent], 60_000)).toMatchObject([{ status: 'completed' }])
      expect(await live()).toBe(version)
    })

    it('fail after five attempts when the worker dies each time, and the next upload is imported', async () => {
      const killAtEachAttempt = async (task: number) => {
        let attempts = 0
        while (attempts < 5) {
          const seen = await waitFor(
            async () => ({ attempt: (await readAttempts(shop.product, [task])).get(task) ?? 0 }),
            ({ attempt }) => attempt > attempts,
            60_000,
            20,
          )
          attempts = seen.attempt
          if (attempts >= 5) return
          for (const { pid } of shop.product.processes('pricing-import')) signalProcess(pid, 'SIGKILL')
        }
      }
      let poisoned = 0
      let tasks: Awaited<ReturnType<typeof ended>> = []
      // on a busy machine a worker may store rows before it is killed
      for (let again = 0; again < 3 && tasks[0]?.status !== 'failed'; again++) {
        poisoned = await scheduled(shop, list, markedText(60_000, 900))
        const innocent = await scheduled(shop, list, markedText(ROWS, (version += 1)))
        await killAtEachAttempt(poisoned)
        tasks = await ended(shop, [poisoned, innocent], 90_000)
      }
      expect(tasks).toMatchObject([
        { status: 'failed', error_message: expect.stringContaining('made no progress') },
        { status: 'completed' },
      ])
      expect((await readAttempts(shop.product, [poisoned])).get(poisoned)).toBe(5)
      expect(await live()).toBe(version)
    })
  })
})

/** The processes that read files for the imports: children of the import processes. */
function readersOf(shop: PartnerShop): number[] {
  return shop.product.processes('pricing-import').flatMap(({ pid }) => {
    try {
      return readdirSync(`/proc/${pid}/task`)
        .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '))
        .map(Number)
        .filter((child) => child > 0)
    } catch {
      return []
    }
  })
}

/** Whether the process reads a price file; one that is killed before that says nothing about the file. */
function hasFileOpen(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('/file'))
  } catch {
    return false
  }
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
