import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import type { Readable } from 'node:stream'
import type { RunningProduct } from '@partsbus/local-stack/running-product'

/** half a percent of a long import; a shorter interval would slow the product down */
const POLL_MS = 100
const DEADLINE_MS = 900_000
const BOUNDARY = 'bench-boundary-7d3f'

export interface PartnerAnswer {
  status: number
  body: string
  headers: NodeJS.Dict<string | string[]>
}

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
  post(path: string, body: string): Promise<PartnerAnswer>
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

function send(agent: Agent, method: string, url: string, token: string, body?: string): Promise<PartnerAnswer> {
  const type =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return call(agent, method, url, { authorization: `Bearer ${token}`, ...type }, (sent) => {
    sent.end(body)
  })
}

function sendForm(agent: Agent, url: string, token: string, listId: number, file: FileToSend): Promise<PartnerAnswer> {
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
  return call(agent, 'POST', url, headers, (sent, fail) => {
    sent.write(head)
    file
      .open()
      .on('error', fail)
      .on('end', () => {
        sent.end(tail)
      })
      .pipe(sent, { end: false })
  })
}

function call(
  agent: Agent,
  method: string,
  url: string,
  headers: OutgoingHttpHeaders,
  write: (sent: ReturnType<typeof request>, fail: (error: Error) => void) => void,
): Promise<PartnerAnswer> {
  return new Promise((done, fail) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString('utf8'),
          headers: response.headers,
        }),
      )
      response.on('error', fail)
    })
    sent.on('error', fail)
    write(sent, fail)
  })
}
