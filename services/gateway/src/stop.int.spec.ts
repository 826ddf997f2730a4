import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { deactivateProducts } from '@partsbus/contracts/catalog/commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import type { RunningGateway } from './start.js'
import { ask } from './testing/send-request.js'
import { administer, answerCommand, openRealStage } from './testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let token: string

beforeAll(async () => {
  stage = await openRealStage('stop')
  answerCommand(stage.nc, deactivateProducts, async () => {
    await delay(20)
    return { requested: 0, deactivated: 0, not_found: [] }
  })
  await stage.nc.flush()
})
afterAll(() => stage?.close())

/** A call over a kept connection. @returns its status, or the code of what broke */
function call(port: number, agent: Agent): Promise<number | string> {
  return new Promise((done) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path: '/api/erp/products/delete',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 14 },
      },
      (response) =>
        response
          .resume()
          .on('end', () => done(response.statusCode ?? 0))
          .on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error')),
    )
    sent.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'))
    sent.end('{"ids_erp":[]}')
  })
}

describe('stopping', () => {
  it('a rolling restart of two gateways loses no request of clients that honour /readyz', async () => {
    const start = (): Promise<RunningGateway> => stage.startGateway({ SHUTDOWN_DELAY_MS: '1500' })
    const gateways = [await start(), await start()]
    await administer(gateways[0]?.port ?? 0, 'PATCH', '/settings', { erp_enabled: true })
    token = (await administer(gateways[0]?.port ?? 0, 'POST', '/settings/erp-token')).body.token as string

    let ready = gateways.map((gateway) => gateway.port)
    let running = true
    const looking = (async () => {
      while (running) {
        const looks = await Promise.all(
          gateways.map((gateway) =>
            ask(gateway.managementPort, { url: '/readyz' }).then(
              ({ statusCode }) => statusCode === 200,
              () => false,
            ),
          ),
        )
        ready = gateways.filter((_, at) => looks[at]).map((gateway) => gateway.port)
        await delay(50)
      }
    })()
    const agent = new Agent({ keepAlive: true })
    const outcomes: Array<number | string> = []
    const clients = Array.from({ length: 6 }, async (_, at) => {
      for (let turn = at; running; turn += 1) outcomes.push(await call(ready[turn % ready.length] ?? 0, agent))
    })

    for (const at of [0, 1]) {
      const before = outcomes.length
      await gateways[at]?.stop()
      gateways[at] = await start()
      expect(await waitUntil(() => ready.length === 2 && outcomes.length > before + 50, { withinMs: 20_000 })).toBe(
        true,
      )
    }
    running = false
    await Promise.all([...clients, looking])
    agent.destroy()
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(100)
  })

  it('a gateway whose port is taken leaves no entry, which changes of settings would wait for', async () => {
    const { port, stop } = await stage.startGateway()
    const entries = () => stage.db.collection('gateways').countDocuments()
    const before = await entries()
    await expect(stage.startGateway({ PORT: String(port) })).rejects.toThrow('EADDRINUSE')
    expect(await entries()).toBe(before)
    await stop()
  })

  it('ends at once when no request is in flight, with idle connections open', async () => {
    const gateway = await stage.startGateway()
    const agent = new Agent({ keepAlive: true })
    await call(gateway.port, agent)
    const startedAt = performance.now()
    await gateway.stop()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    agent.destroy()
  })
})
