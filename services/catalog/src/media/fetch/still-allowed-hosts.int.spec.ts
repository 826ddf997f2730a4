import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { BusClient } from '@partsbus/platform/bus/client'
import { type BusConnection, connectBus } from '@partsbus/platform/bus/connection'
import { createLog } from '@partsbus/platform/process/log'
import { createMetrics } from '@partsbus/platform/process/metrics'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { Downloader } from './downloader.js'
import { StillAllowedHosts } from './still-allowed-hosts.js'

const log = createLog('test', 'silent')
let nats: NatsServer
let bus: BusConnection
let host: ImageHost
let hosts: StillAllowedHosts
let setting: string[] = []
let isAnswered = true

beforeAll(async () => {
  nats = await startNats()
  host = await startImageHost()
  bus = await connectBus({ url: nats.url, name: 'test', log })
  bus.nc.subscribe(currentSettings.subject, {
    callback: (_error, message) => {
      if (isAnswered) message.respond(JSON.stringify({ ...defaultCallSettings, media_allowed_hosts: setting }))
    },
  })
  await bus.nc.flush()
  hosts = new StillAllowedHosts(new BusClient(bus, createMetrics('test')), log)
})
afterAll(async () => {
  await bus.close()
  await host.close()
  await nats.stop()
})

it('are those of the request that the setting still names, and hosts added since are seen at once', async () => {
  setting = ['a.example', 'b.example']
  expect(await hosts.filter(['a.example', 'c.example'])).toEqual(['a.example'])
  setting = ['a.example', 'c.example']
  expect(await hosts.filter(['a.example', 'c.example'])).toEqual(['a.example', 'c.example'])
  expect(await hosts.filter([])).toEqual([])
})

it('are those of the request while no gateway answers', async () => {
  isAnswered = false
  expect(await hosts.filter(['unheard.example'])).toEqual(['unheard.example'])
  isAnswered = true
})

// rules.md#images-guard
it('block a queued download from a host that was removed', async () => {
  host.on('/one.png', sendImage(png(1)))
  const downloader = new Downloader({
    connectionsPerHost: 1,
    deadlineMs: 5_000,
    deadHostMs: 100,
    stillAllowed: (requested) => hosts.filter(requested),
  })
  const download = async () => {
    const result = await downloader.download(
      `${host.url}/one.png`,
      ['127.0.0.1'],
      undefined,
      new AbortController().signal,
    )
    if (result.outcome === 'downloaded') result.release()
    return result.outcome === 'failed' ? result.reason : result.outcome
  }
  setting = ['127.0.0.1']
  expect(await download()).toBe('downloaded')
  setting = []
  await waitFor(download, (outcome) => outcome === 'the address is not public', 20_000)
  await downloader.close()
})
