import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { openPartnerShop, type PartnerShop } from './testing/partner-shop.js'
import { runCommand } from './testing/run-command.js'
import { expectStatus } from './testing/shop.js'
import { withStoppedDatabase } from './testing/stopped-database.js'
import { withDatabase } from './testing/stored-images.js'
import { findRepeatable, type IdsByKind, readCounters, readStoredIds } from './testing/stored-ids.js'
import { checkReferences } from './testing/stored-references.js'
import { startTraffic, trafficEnv, trafficSettings } from './testing/traffic.js'

/** docs/operate/backup.md#quiet */
describe('a backup by dump while everything writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-dump-'))
  const [backup, elsewhere] = [join(folder, 'backup'), join(folder, 'elsewhere')]
  let shop: PartnerShop
  let images: ImageHost
  /** all that the first installation allocated, also after the backup */
  let before: IdsByKind
  /** after the first restore */
  let first: Map<string, number>

  beforeAll(async () => {
    images = await startImageHost()
    shop = await openPartnerShop({ env: trafficEnv, settings: trafficSettings })
  }, 240_000)
  afterAll(async () => {
    await shop.stop()
    await images.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (args: string[]) => {
    const { databaseUrl, busUrl, url, adminToken, stateDir } = shop.product
    return runCommand(args, {
      MONGODB_URL: databaseUrl() ?? '',
      NATS_URL: busUrl() ?? '',
      FILES_PATH: join(stateDir, 'files'),
      PARTSBUS_URL: url,
      ADMIN_TOKEN: adminToken,
      STATE_DIR: folder,
    })
  }

  it('is complete', async () => {
    const traffic = await startTraffic(shop, images, 'first')
    await traffic.answeredMore(2)
    const made = await run(['backup', backup, '--method', 'dump', '--json'])
    await traffic.answeredMore(1)
    expect(await traffic.stop()).toEqual([])
    expect(made).toMatchObject({ code: 0 })
    expect(expectStatus(await shop.admin.get('/settings'), 200).body).toMatchObject({ maintenance: null })
    expect(await runCommand(['verify', backup])).toMatchObject({ code: 0 })
    before = await withDatabase(shop.product.databaseUrl() ?? '', readStoredIds)
  }, 240_000)

  it('is not restored while services run and their gateway is frozen', async () => {
    const [gateway] = shop.product.processes('gateway')
    process.kill(gateway?.pid ?? 0, 'SIGSTOP')
    try {
      const refused = await waitFor(
        () => run(['restore', backup, '--replace']),
        ({ errors }) => !errors.includes('gateway'),
        60_000,
        1_000,
      )
      expect(refused).toMatchObject({
        code: 2,
        errors: expect.stringContaining(
          'are running: administration, catalog, pricing-import, stock, supplier-search.',
        ),
      })
      const unpaused = await run(['backup', join(folder, 'other'), '--method', 'dump'])
      expect(unpaused).toMatchObject({ code: 2, errors: expect.stringContaining('Without a gateway') })
    } finally {
      process.kill(gateway?.pid ?? 0, 'SIGCONT')
    }
  }, 120_000)

  it('has, restored, no reference to anything that is missing', async () => {
    await shop.stop()
    expect(await runCommand(['restore', backup, '--to', elsewhere])).toMatchObject({ code: 0 })
    const { compared, faults } = await withStoppedDatabase(elsewhere, async (client) => {
      first = await readCounters(client)
      return checkReferences(client, { FILES_PATH: join(elsewhere, 'files') })
    })
    expect(faults).toEqual([])
    expect(Object.entries(compared).filter(([, count]) => count === 0)).toEqual([])
    expect(findRepeatable(first, [before])).toEqual([])
  }, 120_000)

  // rules.md#restored-ids
  it('continues above the ids of every kind when it is restored again', async () => {
    expect(await runCommand(['restore', backup, '--to', elsewhere, '--replace'])).toMatchObject({ code: 0 })
    const second = await withStoppedDatabase(elsewhere, readCounters)
    const behind = [...first].filter(([kind, last]) => (second.get(kind) ?? 0) < last)
    expect(behind).toEqual([])
    expect(findRepeatable(second, [before])).toEqual([])
  }, 120_000)
})
