import { Agent } from 'node:http'
import type { Readable } from 'node:stream'
import { type AdminClient, createAdminClient } from '@partsbus/client/admin-client'
import type { SentBody } from '@partsbus/contracts/http/calls'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { FORM_TYPE, field, formBody, formPartHead } from '@partsbus/test-kit/form'
import { callHttp, type TextAnswer, send } from './http-call.js'

/** half a percent of a long import; a shorter interval would slow the product down */
const POLL_MS = 100
const DEADLINE_MS = 900_000

export interface FileToSend {
  name: string
  /** bytes */
  size: number
  open(): Readable
}

/** A client like that of a partner, with access to the admin API. */
export interface Partner {
  token: string
  admin: AdminClient
  post(path: string, body: string): Promise<TextAnswer>
  /** @returns the id of the import task */
  upload(listId: number, file: FileToSend): Promise<number>
  /** Waits until the import has completed. @throws when it fails. @returns rows that were imported */
  follow(taskId: number): Promise<number>
  createStorage(supplier: SentBody<'POST /storages'>['supplier']): Promise<number>
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
  const admin = createAdminClient({ baseUrl: product.url, token: product.adminToken })
  let count = 0
  const partner: Partner = {
    token: '',
    admin,
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
      (await admin('POST /storages', { body: { name: `Bench ${(count += 1)}`, supplier } })).id,
    createList: async (storage_id) =>
      (await admin('POST /price-lists', { body: { name: `Bench ${(count += 1)}`, storage_id } })).id,
    close: () => agent.destroy(),
  }
  const { b2b_token } = await admin('PATCH /settings', {
    body: { b2b_enabled: true, 'price-lists.import.max_file_size': 2 * 1024 ** 3 },
  })
  // a token is shown only when it is created, otherwise a new one is issued
  partner.token = b2b_token?.token ?? (await admin('POST /settings/b2b-token')).token
  return partner
}

function sendForm(agent: Agent, url: string, token: string, listId: number, file: FileToSend): Promise<TextAnswer> {
  const head = Buffer.concat([formBody([field('id', listId)], ''), formPartHead({ name: 'document', file: file.name })])
  const tail = Buffer.concat([Buffer.from('\r\n'), formBody([])])
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': FORM_TYPE,
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
