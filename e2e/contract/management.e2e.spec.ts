import { describe, expect, it } from '@jest/globals'
import { signalProcess } from '@partsbus/local-stack/signal-process'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { ApiClient } from '../testing/api-client.js'
import { logLines } from '../testing/log-files.js'
import { useShop } from '../testing/contract-product.js'

const open = useShop()

describe('every process', () => {
  // admin.md#management
  it.each(['gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search'])(
    '%s answers /livez, /readyz and /metrics on its management port',
    async (name) => {
      const [listed] = open().product.processes(name)
      const client = new ApiClient(`http://127.0.0.1:${listed?.management_port}`)
      expect((await client.get('/livez')).status).toBe(200)
      const ready = await client.get<{ version: string; commit: string }>('/readyz')
      expect([ready.status, ready.body.version]).toEqual([200, expect.stringMatching(/^\d+\.\d+\.\d+/)])
      const { version, commit } = ready.body
      expect(logLines(open().product, name)[0]).toMatchObject({ version, commit })
      const metrics = await client.get('/metrics')
      expect(metrics.text).toMatch(/^# TYPE process_resident_memory_bytes gauge$/m)
      const info = metrics.text.split('\n').find((line) => line.startsWith('partsbus_build_info{'))
      for (const part of [`version="${version}"`, `commit="${commit}"`]) expect(info).toContain(part)
      expect(metrics.headers['content-type']).toMatch(/^text\/plain/)
      expect((await client.get('/else')).status).toBe(404)
      client.close()
    },
  )

  it('processes.json names the servers too, each with its pid', async () => {
    const names = open()
      .product.processes()
      .map((one) => one.name)
    expect(new Set(names)).toEqual(
      new Set([...names, 'gateway', 'administration', 'catalog', 'stock', 'pricing-import', 'supplier-search']),
    )
    await waitFor(
      async () =>
        open()
          .product.processes()
          .filter(({ pid }) => !signalProcess(pid, 0)),
      (dead) => dead.length === 0,
    )
  })

  it('the gateway serves the description of its API at /docs (admin.md#docs)', async () => {
    const json = await open().outside.get<{ openapi: string; paths: Record<string, unknown> }>('/docs/json')
    expect([json.status, json.body.openapi]).toEqual([200, expect.stringMatching(/^3\.1/)])
    for (const path of [
      '/api/erp/ping',
      '/api/erp/categories/batch-upsert',
      '/api/erp/categories/delete',
      '/api/erp/products/batch-upsert',
      '/api/erp/products/delete',
      '/api/erp/stocks/batch-update',
    ]) {
      expect(Object.keys(json.body.paths)).toContain(path)
    }
    const page = await open().outside.get('/docs')
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)])
  })
})
