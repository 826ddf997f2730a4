import { randomBytes } from 'node:crypto'
import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { findProgram } from '@partsbus/local-stack/find-program'
import { startNats } from '@partsbus/local-stack/start-nats'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { noRealSet, noSignals, ReplicaSetControl } from '@partsbus/test-kit/replica-set/replica-set-control'
import { servicePlans } from '../scripts/start/service-plans.mjs'
import { openPartnerShop, type PartnerShop } from './testing/partner-shop.js'
import { runCommand } from './testing/run-command.js'
import { ROOT } from './testing/shop.js'
import { withDatabase } from './testing/stored-images.js'
import { findRepeatable, readCounters, readStoredIds } from './testing/stored-ids.js'
import { checkReferences } from './testing/stored-references.js'
import { startTraffic, trafficEnv, trafficSettings } from './testing/traffic.js'

/*
 * The whole product on the set of MONGODB_REPLICA_SET_URL, whose databases `partsbus_*` are dropped.
 * MONGODB_RESTORE_SET_URL is a second set with another password of its user, who has the role `replay`
 * (docs/operate/backup.md).
 */
const url = process.env.MONGODB_REPLICA_SET_URL ?? ''
const otherUrl = process.env.MONGODB_RESTORE_SET_URL ?? ''
const toolMissing = ['mongodump', 'mongorestore'].find((tool) => findProgram(tool) === undefined)
const noRestore =
  noRealSet ||
  (otherUrl === '' ? ' (skipped: MONGODB_RESTORE_SET_URL is not set)' : '') ||
  (toolMissing === undefined ? '' : ` (skipped: ${toolMissing} is not on PATH)`)
/** The users of the databases: that of the administration service belonged to the gateway. */
const SERVICES = ['gateway', 'catalog', 'stock', 'pricing-import', 'supplier-search']
const nameOf = (service: string) => `partsbus_${service.replaceAll('-', '_')}`

jest.setTimeout(600_000)

const dropAll = (address: string) =>
  withDatabase(address, async (client) => {
    for (const service of SERVICES) await client.db(nameOf(service)).dropDatabase()
  })

;(noRealSet === '' ? describe : describe.skip)(`a product on a replica set${noRealSet}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-set-'))
  const backup = join(folder, 'backup')
  const files = { FILES_PATH: join(folder, 'files') }
  let set: ReplicaSetControl
  let images: ImageHost
  let shop: PartnerShop
  beforeAll(async () => {
    await dropAll(url)
    set = await ReplicaSetControl.open(url)
    images = await startImageHost()
    shop = await openPartnerShop({ env: { ...trafficEnv, ...files, MONGODB_URL: url }, settings: trafficSettings })
  })
  afterAll(async () => {
    await shop?.stop()
    await images?.close()
    await set?.close()
    await dropAll(url)
    if (noRestore === '') await dropAll(otherUrl)
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers all kinds of requests with success or 503 while the primary steps down', async () => {
    const traffic = await startTraffic(shop, images, 'stepping')
    for (let turn = 0; turn < 3; turn += 1) {
      await traffic.answeredMore(2, 120_000)
      await set.stepDown()
    }
    await traffic.answeredMore(2, 120_000)
    expect(await traffic.stop()).toEqual([])
  })

  ;(noSignals === '' ? it : it.skip)(`and while it is killed${noSignals}`, async () => {
    const traffic = await startTraffic(shop, images, 'killed')
    await traffic.answeredMore(2, 120_000)
    const { elected, restart } = await set.killPrimary()
    await elected
    await traffic.answeredMore(2, 120_000)
    await restart()
    expect(await traffic.stop()).toEqual([])
  })

  // docs/operate/backup.md#by-hand
  ;(noRestore === '' ? it : it.skip)(
    `is restored into a set with other users from a backup under load${noRestore}`,
    async () => {
      const run = (args: string[], address: string) =>
        runCommand(args, { ...files, MONGODB_URL: address, STATE_DIR: folder })
      const traffic = await startTraffic(shop, images, 'dumped')
      await traffic.answeredMore(2, 120_000)
      expect(await run(['backup', backup, '--method', 'mongodump'], url)).toMatchObject({ code: 0 })
      expect(await traffic.stop()).toEqual([])
      const before = await withDatabase(url, readStoredIds)
      await dropAll(otherUrl)
      const elsewhere = { FILES_PATH: join(folder, 'restored') }
      const restore = (args: string[]) => runCommand(args, { ...elsewhere, MONGODB_URL: otherUrl, STATE_DIR: folder })
      expect(await restore(['restore', backup])).toMatchObject({ code: 0 })
      expect(await restore(['verify', backup, '--against'])).toMatchObject({ code: 0 })
      const { faults, counters } = await withDatabase(otherUrl, async (client) => ({
        ...(await checkReferences(client, elsewhere)),
        counters: await readCounters(client),
      }))
      expect(faults).toEqual([])
      // the user who restored is still the one of this set
      expect(findRepeatable(counters, [before])).toEqual([])
      const restored = await openPartnerShop({ env: { ...trafficEnv, ...elsewhere, MONGODB_URL: otherUrl } })
      try {
        const { stateDir, url: gateway, adminToken } = restored.product
        const env = { STATE_DIR: stateDir, PARTSBUS_URL: gateway, ADMIN_TOKEN: adminToken }
        expect(await runCommand(['doctor'], env)).toMatchObject({ code: 0 })
      } finally {
        await restored.stop()
      }
    },
  )

  it('has stored no reference to anything that is missing', async () => {
    await shop.stop()
    const { faults } = await withDatabase(url, (client) => checkReferences(client, files))
    expect(faults).toEqual([])
  })
})

interface UserCommand {
  db: string
  user: { user: string; pwd: string; roles: { role: string; db: string }[] }
}

/** The address of the set, with the user and the database of a service. */
function addressOf(service: string): string {
  const [, hosts = '', options = ''] = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)\/?[^?]*\??(.*)$/.exec(url) ?? []
  const query = new URLSearchParams(options)
  query.delete('authSource')
  return `mongodb://test_${service}:pass%2Fword@${hosts}/${nameOf(service)}?${query}`
}

/** What create-users.js creates for the services, with addresses as `deploy/secrets` has them. */
function usersOf(addresses: ReadonlyMap<string, string>): UserCommand[] {
  const users: UserCommand[] = []
  const db = {
    getSiblingDB: (name: string) => ({
      createRole: () => undefined,
      grantRolesToUser: () => undefined,
      createUser: (user: UserCommand['user']) => users.push({ db: name, user }),
    }),
  }
  const addressIn = (path: string) => addresses.get(/mongodb_url_(.+)$/.exec(path)?.[1] ?? '') ?? ''
  // URL knows no list of hosts
  const readFile = (path: string) => `${addressIn(path).replace(/@[^/]+/, '@mongo:27017')}\n`
  const script = readFileSync(join(ROOT, 'deploy/mongo/create-users.js'), 'utf8')
  runInNewContext(script, { db, URL, require: () => ({ readFileSync: readFile }) })
  return users
}

;(noRealSet === '' ? describe : describe.skip)(`services that sign in as users of their own${noRealSet}`, () => {
  it('start in empty databases: they need no right beyond readWrite of their own one', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'partsbus-users-'))
    const addresses = new Map(SERVICES.map((service) => [service, addressOf(service)]))
    const users = usersOf(addresses)
    const nats = await startNats()
    const running: SupervisedProcess[] = []
    await dropAll(url)
    try {
      await withDatabase(url, async (client) => {
        for (const { db, user: document } of users) {
          const { user, ...rights } = document
          await client.db(db).command({ createUser: user, ...rights })
        }
      })
      const plans = await servicePlans({
        ...{ root: ROOT, stateDir, replicas: {}, inspect: {}, gatewayPorts: [await findFreePort()], ownServers: false },
        env: { NATS_URL: nats.url },
        secrets: { ADMIN_TOKEN: 'admin-token-of-a-test-run', SECRETS_KEY: randomBytes(32).toString('base64') },
        findFreePort,
      })
      for (const plan of plans) {
        const env = {
          ...plan.env,
          MONGODB_URL: addresses.get(plan.name === 'administration' ? 'gateway' : plan.name) ?? '',
        }
        running.push(new SupervisedProcess({ ...plan, env }))
      }
      await Promise.all(running.map((service) => service.start()))
      // ready: migrated, with its indexes
      for (const { plan } of running) expect([plan.name, await plan.isReady()]).toEqual([plan.name, true])
    } finally {
      await Promise.all(running.map((service) => service.stop()))
      await nats.stop()
      await withDatabase(url, async (client) => {
        for (const { db, user } of users) await client.db(db).command({ dropUser: user.user })
      }).finally(() => dropAll(url))
      rmSync(stateDir, { recursive: true, force: true })
    }
  })
})
