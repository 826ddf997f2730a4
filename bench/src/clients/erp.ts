import { Agent } from 'node:http'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { callHttp } from './http-call.js'

export interface Answer {
  status: number
  body: string
}

/** A client like that of an ERP: keep-alive connections, JSON text in, JSON text out. */
export interface Erp {
  token: string
  storageId: number
  post(path: string, body: string | Buffer, headers?: Record<string, string>): Promise<Answer>
  ping(): Promise<Answer>
  close(): void
}

/** Enables the ERP API, configures its storage and pick-up point, and issues a token. */
export async function connectErp(product: RunningProduct): Promise<Erp> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const admin = (method: string, path: string, body: unknown): Promise<Answer> =>
    send(agent, method, `${product.url}/api/admin${path}`, product.adminToken, JSON.stringify(body))
  const storage = JSON.parse((await admin('POST', '/storages', { name: 'Bench' })).body) as { id: number }
  const point = JSON.parse((await admin('POST', '/pick-up-points', { name: 'Bench' })).body) as { id: number }
  const settings = {
    erp_enabled: true,
    erp_storage_id: storage.id,
    erp_pick_up_point_id: point.id,
    erp_max_batch_items: 5_000,
  }
  const patched = await admin('PATCH', '/settings', settings)
  if (patched.status !== 200) throw new Error(`PATCH /settings answered ${patched.status}: ${patched.body}`)
  const { token } = JSON.parse((await admin('POST', '/settings/erp-token', {})).body) as { token: string }
  return {
    token,
    storageId: storage.id,
    post: (path, body, extra) => send(agent, 'POST', `${product.url}/api/erp${path}`, token, body, extra),
    ping: () => send(agent, 'GET', `${product.url}/api/erp/ping`, token),
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

/** Sends a request with a token. */
export function send(
  agent: Agent,
  method: string,
  url: string,
  token: string,
  body?: string | Buffer,
  extra: Record<string, string> = {},
): Promise<Answer> {
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const headers = { authorization: `Bearer ${token}`, ...type, ...extra }
  return callHttp({ agent, method, url, headers, write: (sent) => sent.end(body) })
}
