import { Agent } from 'node:http'
import { createAdminClient } from '@partsbus/client/admin-client'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { type TextAnswer, send } from './http-call.js'

/**
 * A client like that of an ERP: keep-alive connections, JSON text in, JSON text out. What is measured is sent by
 * node:http, since the processor time of packages/client, which uses fetch, would be a part of every figure.
 */
export interface Erp {
  token: string
  storageId: number
  post(path: string, body: string | Buffer, headers?: Record<string, string>): Promise<TextAnswer>
  ping(): Promise<TextAnswer>
  close(): void
}

/** Enables the ERP API, configures its storage and pick-up point, and issues a token. */
export async function connectErp({ url, adminToken }: RunningProduct): Promise<Erp> {
  const admin = createAdminClient({ baseUrl: url, token: adminToken })
  const storage = await admin('POST /storages', { body: { name: 'Bench' } })
  const point = await admin('POST /pick-up-points', { body: { name: 'Bench' } })
  await admin('PATCH /settings', {
    body: {
      erp_enabled: true,
      erp_storage_id: storage.id,
      erp_pick_up_point_id: point.id,
      erp_max_batch_items: 5_000,
    },
  })
  const { token } = await admin('POST /settings/erp-token')
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    token,
    storageId: storage.id,
    post: (path, body, extra) => send(agent, 'POST', `${url}/api/erp${path}`, token, body, extra),
    ping: () => send(agent, 'GET', `${url}/api/erp/ping`, token),
    close: () => agent.destroy(),
  }
}

/** Sends a batch. @throws Error when the answer is not 200 */
export async function sendBatch(
  erp: Erp,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await erp.post(path, body, headers)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
}
