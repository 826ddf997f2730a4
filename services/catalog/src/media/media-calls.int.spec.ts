import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import {
  describeMedia,
  getProduct,
  listMediaJobs,
  readMedia,
  retryMediaJob,
  upsertProducts,
} from '@partsbus/contracts/catalog/commands'
import { type CallSettings, defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { startNats } from '@partsbus/local-stack/start-nats'
import { testMongodbUrl } from '@partsbus/local-stack/test-servers'
import { platformConfig, readConfig } from '@partsbus/platform/process/config'
import { startRuntime, type Runtime } from '@partsbus/platform/process/runtime'
import type { RunningService } from '@partsbus/platform/process/service'
import { Db } from 'mongodb'
import { catalogConfig } from '../config.js'
import { startCatalog } from '../start.js'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { png } from '@partsbus/test-kit/png'

const env = {
  MONGODB_URL: testMongodbUrl(),
  MONGODB_DATABASE: `test_media_calls_${randomUUID().slice(0, 8)}`,
  MANAGEMENT_PORT: '0',
  LOG_LEVEL: 'silent',
}
const settings: CallSettings = { ...defaultCallSettings, media_allowed_hosts: ['127.0.0.1'] }
let nats: Awaited<ReturnType<typeof startNats>>
let host: ImageHost
let catalog: RunningService
let gateway: Runtime

beforeAll(async () => {
  nats = await startNats()
  host = await startImageHost()
  host.on('/door.png', sendImage(png(1, 4, 3)))
  catalog = await startCatalog(readConfig(catalogConfig, { ...env, NATS_URL: nats.url }))
  gateway = await startRuntime('gateway', readConfig(platformConfig, { ...env, NATS_URL: nats.url }))
})

afterAll(async () => {
  await catalog.app.get(Db).dropDatabase()
  await catalog.stop()
  await gateway.close()
  await host.close()
  await nats.stop()
})

async function upsert(erpId: string, images: Array<{ url: string }> | null): Promise<unknown> {
  const body = Buffer.from(JSON.stringify([{ id_erp: erpId, name: erpId, images }]))
  return JSON.parse(
    Buffer.from(await gateway.calls.forward(upsertProducts, body, { settings, timeoutMs: 20_000 })).toString('utf8'),
  )
}

it('a product sent with images has media that are described and read over the bus', async () => {
  expect(await upsert('D-1', [{ url: `${host.url}/door.png` }, { url: `${host.url}/missing.png` }])).toEqual({
    processed: 1,
    created: 1,
    updated: 0,
    errors: [{ id_erp: 'D-1', message: `Image could not be downloaded: ${host.url}/missing.png` }],
  })
  const { media } = await gateway.calls.request(getProduct, { erp_id: 'D-1' })
  const id = media[0]?.id ?? 0
  expect(media).toEqual([
    {
      id,
      url: `/media/${id}/door.png`,
      file_name: 'door.png',
      mime_type: 'image/png',
      size: png(1, 4, 3).length,
      width: 4,
      height: 3,
      custom_properties: { sort_order: 0, is_main: false },
    },
  ])
  expect(await gateway.calls.request(describeMedia, { id })).toMatchObject({
    id,
    mime_type: 'image/png',
    size: png(1, 4, 3).length,
  })
  const bytes = await gateway.calls.forward(readMedia, Buffer.from(JSON.stringify({ id, offset: 4, length: 1_000 })))
  expect(Buffer.from(bytes)).toEqual(png(1, 4, 3).subarray(4))
  await expect(gateway.calls.request(describeMedia, { id: id + 1_000 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('a failed download is listed and is retried with the settings of that call', async () => {
  await upsert('D-2', [{ url: `${host.url}/later.png` }])
  const jobs = async () =>
    (await gateway.calls.request(listMediaJobs, { page: 1, per_page: 50, status: 'failed' })).data.filter(
      (job) => job.erp_id === 'D-2',
    )
  const [job] = await jobs()
  expect(job).toMatchObject({ item: 'product', url: `${host.url}/later.png`, attempts: 1, last_error: 'HTTP 404' })
  host.on('/later.png', sendImage(png(2)))
  expect(await gateway.calls.request(retryMediaJob, { id: job?.id ?? 0 }, { settings })).toMatchObject({
    id: job?.id,
    status: 'pending',
  })
  await waitFor(
    async () => (await gateway.calls.request(getProduct, { erp_id: 'D-2' })).media.length,
    (count) => count === 1,
  )
  expect(await jobs()).toEqual([])
})
