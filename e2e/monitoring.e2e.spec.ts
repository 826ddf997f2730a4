import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { findPrometheus, type PrometheusPrograms } from '@partsbus/local-stack/prometheus'
import { signalProcess } from '@partsbus/local-stack/signal-process'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { parse, stringify } from 'yaml'
import { ended, type PartnerList, scheduled } from './testing/partner-shop.js'
import { openSearchShop, type SearchShop } from './testing/search-shop.js'
import { expectStatus, ROOT } from './testing/shop.js'

const OBSERVABILITY = join(ROOT, 'deploy/observability')
const shipped = (name: string) => readFileSync(join(OBSERVABILITY, name), 'utf8')

interface Series {
  metric: Record<string, string>
  value: [time: number, value: string]
}
interface Alert {
  labels: Record<string, string>
  state: 'pending' | 'firing'
}

const programs = await findPrometheus(() => undefined).catch((error: Error) => error)
const describeWithPrometheus = programs instanceof Error ? describe.skip : describe
if (programs instanceof Error) console.warn(`skipped: Prometheus cannot be had: ${programs.message}`)

/** Rules that come to a decision in seconds instead of minutes. */
const quick = (rules: string) =>
  rules
    .replace(/for: \d+[mh]/g, 'for: 1s')
    .replace(/\[\d+[mh]\]/g, '[15s]')
    .replace(/offset \d+[mh]/g, 'offset 15s')

describeWithPrometheus('alerts and dashboard', () => {
  const { prometheus, promtool } = programs as PrometheusPrograms
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-prometheus-'))
  let shop: SearchShop
  let list: PartnerList
  let server: ChildProcess | undefined
  let url = ''

  const read = async <T>(path: string): Promise<T> => {
    const { status, data, error } = (await (await fetch(`${url}/api/v1${path}`)).json()) as {
      status: string
      data: T
      error?: string
    }
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  const query = async (expr: string): Promise<Series[]> =>
    (await read<{ result: Series[] }>(`/query?query=${encodeURIComponent(expr)}`)).result
  const firing = async (name: string): Promise<Record<string, string>[]> =>
    (await read<{ alerts: Alert[] }>('/alerts')).alerts
      .filter(({ labels, state }) => labels['alertname'] === name && state === 'firing')
      .map(({ labels }) => labels)

  let round = 0
  /** Something for every panel: a batch with an image that cannot be had, a mistake, each request of a partner. */
  const exercise = async () => {
    round += 1
    const images = [{ url: `http://127.0.0.1:1/${round}.jpg` }]
    expectStatus(
      await shop.erp.post('/products/batch-upsert', [{ id_erp: `watched-${round}`, name: 'W', images }]),
      200,
    )
    expectStatus(await shop.admin.get('/products/0'), 404)
    for (const request of Object.values(shop.requests)) expectStatus(await request(shop.partner, list), 200)
  }

  beforeAll(async () => {
    shop = await openSearchShop()
    list = await shop.newList('Watched')
    const processes = shop.product.processes().filter(({ management_port }) => management_port !== undefined)
    const config = parse(shipped('prometheus.yaml')) as { scrape_configs: { job_name: string }[] }
    writeFileSync(join(folder, 'alerts.yaml'), quick(shipped('alerts.yaml')))
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      stringify({
        ...config,
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        // the exporters, and whom alerts are sent to, belong to containers
        alerting: undefined,
        scrape_configs: config.scrape_configs.slice(0, 1).map((scrape) => ({
          ...scrape,
          dns_sd_configs: undefined,
          static_configs: [{ targets: processes.map(({ management_port }) => `127.0.0.1:${management_port}`) }],
        })),
      }),
    )
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    server = spawn(
      prometheus,
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--query.lookback-delta=10s',
      ],
      { stdio: 'ignore' },
    )
    await waitFor(
      () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      (isReady) => isReady,
      60_000,
    )
  }, 300_000)
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    await shop?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('fire on their fault and rest on what looks like it, by the recorded series', async () => {
    const tests = readdirSync(OBSERVABILITY).filter((name) => name.endsWith('.test.yaml'))
    // throws with the output of tests that fail
    const { stdout } = await promisify(execFile)(promtool, ['test', 'rules', ...tests], { cwd: OBSERVABILITY })
    expect(stdout).toContain('SUCCESS')
    const tested = new Set(
      [
        ...tests
          .map(shipped)
          .join('\n')
          .matchAll(/alertname: (\w+)/g),
      ].map(([, name]) => name),
    )
    const alerts = [...shipped('alerts.yaml').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    expect(alerts.filter((name) => !tested.has(name))).toEqual([])
  })

  it('get series from a running product for every panel', async () => {
    const dashboard = JSON.parse(shipped('dashboard.json')) as {
      panels: { title: string; targets?: { expr: string }[] }[]
    }
    /** Series that appear with the first fault, run of a source or backup. */
    const rare = new Set([
      'Faults of each API, of the last hour',
      'Failed messages by code',
      'Failed calls to other services by code',
      'Own faults',
      'Runs of sources by outcome',
      'Age of the newest backup',
    ])
    const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '30s') })),
    )
    await waitFor(
      async () => {
        await exercise()
        const results = await Promise.all(panels.map(async ({ title, expr }) => ({ title, found: await query(expr) })))
        return results.filter(({ title, found }) => found.length === 0 && !rare.has(title)).map(({ title }) => title)
      },
      (empty) => empty.length === 0,
      120_000,
      1_000,
    )
    // a slow machine may miss a scrape of a second
    await waitFor(
      () => firing('PartsbusServiceMissing'),
      (alerts) => alerts.length === 0,
      60_000,
    )
  }, 240_000)

  it('notice a frozen service, and that it is back', async () => {
    const frozen = await shop.product.kill('stock', 'SIGSTOP')
    try {
      await waitFor(
        () => firing('PartsbusServiceMissing'),
        (alerts) => alerts.map(({ service }) => service).join() === 'stock',
        60_000,
      )
    } finally {
      signalProcess(frozen.pid, 'SIGCONT')
    }
    await waitFor(
      () => firing('PartsbusServiceMissing'),
      (alerts) => alerts.length === 0,
      60_000,
    )
  }, 150_000)

  it('notice a price list whose import failed, and that the next one succeeded', async () => {
    await ended(shop, [await scheduled(shop, list, 'nothing;here\n1;2\n3;4\n')], 60_000)
    await waitFor(
      () => firing('PartsbusImportsFail'),
      (alerts) => alerts.length === 1,
      60_000,
    )
    await ended(shop, [await scheduled(shop, list, 'brand;article;name;quantity;price\nFAKE;A-1;Pad;3;7\n')], 60_000)
    await waitFor(
      () => firing('PartsbusImportsFail'),
      (alerts) => alerts.length === 0,
      60_000,
    )
  }, 300_000)
})
