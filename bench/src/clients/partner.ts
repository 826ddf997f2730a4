import { Agent } from 'node:http'
import type { Readable } from 'node:stream'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { callHttp, type HttpAnswer } from './http-call.js'

/** half a percent of a long import; a shorter interval would slow the product down */
const POLL_MS = 100
const DEADLINE_MS = 900_000
const BOUNDARY = 'bench-boundary-7d3f'

export interface FileToSend {
  name: string
  /** bytes */
  size: number
  open(): Readable
}

/** A client like that of a partner, with access to the admin API. */
export interface Partner {
  token: string
  /** @returns the body of the response @throws when the request fails */
  admin<Body>(method: string, path: string, body?: unknown): Promise<Body>
  post(path: string, body: string): Promise<HttpAnswer>
  /** @returns the id of the import task */
  upload(listId: number, file: FileToSend): Promise<number>
  /** Waits until the import has completed. @throws when it fails. @returns rows that were imported */
  follow(taskId: number): Promise<number>
  createStorage(supplier: Record<string, unknown>): Promise<number>
  createList(storageId: number): Promise<number>
  close(): void
}

interface Task {
  status: string
  imported_rows: number
  error_message: string | null
}

/** Enables the B2B API for files of up to 2 GiB. */
export async function connectPartner(product: RunningProduct): Promise<Partner> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let count = 0
  const partner: Partner = {
    token: '',
    async admin<Body>(method: string, path: string, body?: unknown) {
      const answer = await send(
        agent,
        method,
        `${product.url}/api/admin${path}`,
        product.adminToken,
        body === undefined ? undefined : JSON.stringify(body),
      )
      if (answer.status >= 300)
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as Body
    },
    post: (path, body) => send(agent, 'POST', `${product.url}/api/b2b${path}`, partner.token, body),
    async upload(listId, file) {
      const answer = await sendForm(agent, `${product.url}/api/b2b/upload-price-list`, partner.token, listId, file)
      if (answer.status !== 200)
        throw new Error(`the upload was answered ${answer.status}: ${answer.body.slice(0, 300)}`)
      return (JSON.parse(answer.body) as { task_id: number }).task_id
    },
    async follow(taskId) {
      for (const end = performance.now() + DEADLINE_MS; performance.now() < end;) {
        const answer = await partner.post('/get-price-list-status', JSON.stringify({ task_id: taskId }))
        const { task } = JSON.parse(answer.body) as { task?: Task }
        if (task?.status === 'completed') return task.imported_rows
        if (task?.status === 'failed') throw new Error(`import ${taskId} failed: ${task.error_message}`)
        await new Promise((next) => {
          setTimeout(next, POLL_MS)
        })
      }
      throw new Error(`import ${taskId} did not end`)
    },
    createStorage: async (supplier) =>
      (await partner.admin<{ id: number }>('POST', '/storages', { name: `Bench ${(count += 1)}`, supplier })).id,
    createList: async (storageId) =>
      (
        await partner.admin<{ id: number }>('POST', '/price-lists', {
          name: `Bench ${(count += 1)}`,
          storage_id: storageId,
        })
      ).id,
    close: () => agent.destroy(),
  }
  const settings = { b2b_enabled: true, 'price-lists.import.max_file_size': 2 * 1024 ** 3 }
  const view = await partner.admin<{ b2b_token: { token?: string } | null }>('PATCH', '/settings', settings)
  // a token is shown only when it is created, otherwise a new one is issued
  partner.token =
    view.b2b_token?.token ?? (await partner.admin<{ token: string }>('POST', '/settings/b2b-token', {})).token
  return partner
}

function send(agent: Agent, method: string, url: string, token: string, body?: string): Promise<HttpAnswer> {
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const headers = { authorization: `Bearer ${token}`, ...type }
  return callHttp({ agent, method, url, headers, write: (sent) => sent.end(body) })
}

function sendForm(agent: Agent, url: string, token: string, listId: number, file: FileToSend): Promise<HttpAnswer> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="id"\r\n\r\n${listId}\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="document"; filename="${file.name}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': head.length + file.size + tail.length,
  }
  return callHttp({
    agent,
    method: 'POST',
    url,
    headers,
    write(sent, fail) {
      sent.write(head)
      file
        .open()
        .on('error', fail)
        .on('end', () => {
          sent.end(tail)
        })
        .pipe(sent, { end: false })
    },
  })
}
