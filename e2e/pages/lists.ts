import { randomUUID } from 'node:crypto'
import { file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import { waitFor } from '@partsbus/test-kit/wait-for'
import type { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'

/** Price lists, files and imports by the API, for scenarios whose subject is what comes after them. */
export interface NewList {
  id: number
  name: string
  storageId: number
}

export interface Task {
  id: number
  status: string
  total_rows: number
  imported_rows: number
  skipped_rows: number
  error_message: string | null
}

/** All spec files share one product: every name is a new one. */
export const newName = (what: string): string => `${what} ${randomUUID().slice(0, 8)}`

export async function createList(
  admin: ApiClient,
  what: string,
  settings: Record<string, unknown> = {},
): Promise<NewList> {
  const name = newName(what)
  const storage = expectStatus(
    await admin.post<{ id: number }>('/storages', { name, supplier: { kind: 'price-list' } }),
    201,
  )
  const list = { name, storage_id: storage.body.id, ...settings }
  const { body } = expectStatus(await admin.post<{ id: number }>('/price-lists', list), 201)
  return { id: body.id, name, storageId: storage.body.id }
}

/** @returns the id of the import */
export async function upload(admin: ApiClient, listId: number, text: string | Buffer, name?: string): Promise<number> {
  const answer = await admin.send<{ task_id: number }>('POST', `/price-lists/${listId}/upload`, {
    body: formBody([file(text, name)]),
    headers: { 'content-type': FORM_TYPE },
  })
  return expectStatus(answer, 200).body.task_id
}

export const readTask = async (admin: ApiClient, id: number): Promise<Task> =>
  expectStatus(await admin.get<Task>(`/import-tasks/${id}`), 200).body

/** Waits for the end of an import. */
export const ended = (admin: ApiClient, id: number, withinMs = 60_000): Promise<Task> =>
  waitFor(
    () => readTask(admin, id),
    ({ status }) => status === 'completed' || status === 'failed',
    withinMs,
  )

/** Imports a file, which has to be completed. */
export async function importFile(admin: ApiClient, listId: number, text: string, name?: string): Promise<Task> {
  const task = await ended(admin, await upload(admin, listId, text, name))
  if (task.status !== 'completed') throw new Error(`The import failed: ${task.error_message}`)
  return task
}

export const liveArticles = async (admin: ApiClient, listId: number): Promise<string[]> => {
  const { body } = expectStatus(
    await admin.get<{ data: { article: string }[] }>(`/price-lists/${listId}/offers?per_page=500`),
    200,
  )
  return body.data.map(({ article }) => article)
}

const HEAD = 'Бренд;Артикул;Наименование;Остаток;Цена'

/** A file with an offer of each article. */
export const priceFile = (articles: readonly string[], price = 100): string =>
  `${[HEAD, ...articles.map((article) => `KYB;${article};Амортизатор;3;${price}`)].join('\n')}\n`

/** A file that takes seconds to import. */
export const longFile = (rows: number): Buffer =>
  Buffer.from(priceFile(Array.from({ length: rows }, (_, at) => `L-${at}`)))
