import type { ImportTask, Part } from './partner.js'
import { type ApiResponse, ApiClient } from './api-client.js'
import { expectStatus, openShop, type Shop } from './shop.js'
import { field, file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import { waitFor } from '@partsbus/test-kit/wait-for'

export interface Parts {
  result: boolean
  message: string
  parts: Part[]
}

/** A price list with its own storage and pick-up point. */
export interface PartnerList {
  id: number
  storageId: number
  pointId: number
}

/** The shop with the B2B API enabled. */
export interface PartnerShop extends Shop {
  /** under `/api/b2b`, with the token */
  partner: ApiClient
  partnerToken: string
  /** the same of another gateway */
  partnerOf(url: string): ApiClient
  newList(name: string): Promise<PartnerList>
}

export async function openPartnerShop(options: Parameters<typeof openShop>[0] = {}): Promise<PartnerShop> {
  return withPartner(await openShop({ ...options, settings: { b2b_enabled: true, ...options.settings } }))
}

/** @param shop the B2B API is enabled in it */
export async function withPartner(shop: Shop): Promise<PartnerShop> {
  const { token } = expectStatus(await shop.admin.post<{ token: string }>('/settings/b2b-token'), 200).body
  const partnerOf = (url: string) => new ApiClient(`${url}/api/b2b`, { authorization: `Bearer ${token}` })
  const partner = partnerOf(shop.product.url)
  const made = async (path: string, body: unknown) =>
    expectStatus(await shop.admin.post<{ id: number }>(path, body), 201).body.id
  return {
    ...shop,
    partner,
    partnerToken: token,
    partnerOf,
    async newList(name) {
      const storageId = await made('/storages', { name, supplier: { kind: 'price-list' } })
      const pointId = await made('/pick-up-points', { name, storage_ids: [storageId] })
      return { storageId, pointId, id: await made('/price-lists', { name, storage_id: storageId }) }
    },
    async stop() {
      partner.close()
      await shop.stop()
    },
  }
}

export interface Upload {
  result: boolean
  message: string
  task_id: number
}

/** `POST /upload-price-list`. @returns the response with any status */
export function upload(
  partner: ApiClient,
  listId: number,
  content: string | Buffer,
  fileName = 'price.csv',
  timeoutMs = 120_000,
): Promise<ApiResponse<Upload>> {
  const { body, headers } = uploadForm(listId, content, fileName)
  return partner.send('POST', '/upload-price-list', { body, headers, timeoutMs })
}

export function uploadForm(
  listId: number,
  content: string | Buffer,
  fileName = 'price.csv',
): { body: Buffer; headers: Record<string, string> } {
  return {
    body: formBody([field('id', listId), file(content, fileName)]),
    headers: { 'content-type': FORM_TYPE },
  }
}

/** Uploads a file that must be accepted. @returns the id of the task */
export async function scheduled(shop: PartnerShop, list: PartnerList, text: string): Promise<number> {
  return expectStatus(await upload(shop.partner, list.id, text), 200).body.task_id
}

/** The task, or undefined while the service is unavailable. Its counters must add up (rules.md#task-life). */
export async function lookAt(shop: PartnerShop, taskId: number): Promise<ImportTask | undefined> {
  const answer = await shop.partner
    .send<{ task: ImportTask }>('POST', '/get-price-list-status', { body: { task_id: taskId }, timeoutMs: 2_000 })
    .catch(() => undefined)
  if (answer === undefined || answer.status === 503 || answer.status === 504) return undefined
  const { task } = expectStatus(answer, 200).body
  const { imported_rows, skipped_rows, processed_rows, total_rows } = task
  if (imported_rows + skipped_rows !== processed_rows || processed_rows > total_rows)
    throw new Error(`These counters do not add up: ${JSON.stringify(task)}`)
  return task
}

export function isOver(task: ImportTask | undefined): task is ImportTask {
  return task?.status === 'completed' || task?.status === 'failed'
}

/** Polls tasks until they end, and checks their counters at each reading. */
export async function ended(shop: PartnerShop, taskIds: number[], withinMs: number): Promise<ImportTask[]> {
  return Promise.all(
    taskIds.map(async (id) => (await waitFor(() => lookAt(shop, id), isOver, withinMs, 100)) as ImportTask),
  )
}
