import { setTimeout as delay } from 'node:timers/promises'
import type { ImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import type { ApiResponse } from './api-client.js'
import { isOver, lookAt, type PartnerList, type PartnerShop, upload, uploadForm } from './partner-shop.js'

/** What a product needs for {@link startTraffic}. */
export const trafficEnv = { SOURCE_ALLOWED_HOSTS: '127.0.0.1' }
export const trafficSettings = { media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 1_000 }

const ROWS = 1_000
/** Between two rounds of a client, in ms: what counts is that all write at once, not how much. */
const PAUSE_MS = 50

/** Everything that a product stores, written at once by one client for each kind. */
export interface Traffic {
  /** Resolves when every client has been answered so many more times. */
  answeredMore(rounds: number, withinMs?: number): Promise<void>
  /** Starts nothing more. @returns answers that were neither a success nor a refusal in maintenance */
  stop(): Promise<string[]>
}

class Refused extends Error {}

/** @returns the body @throws Refused in maintenance, or Error when the status is none of `statuses` */
function accept<Body>(answer: ApiResponse<Body>, ...statuses: number[]): Body {
  if (answer.status === 503) throw new Refused()
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.body
}

/** @param name a part of all ids, so that several runs write different items */
export async function startTraffic(shop: PartnerShop, host: ImageHost, name: string): Promise<Traffic> {
  const clients = {
    ...writeCatalog(shop, host, name),
    ...(await writeLists(shop, host, name)),
    ...writeOthers(shop, name),
  }
  const rounds = new Map(Object.keys(clients).map((kind) => [kind, 0]))
  const failures: string[] = []
  let isStopped = false
  const repeat = async (kind: string, write: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; !isStopped; round += 1) {
      try {
        await write(round)
        rounds.set(kind, (rounds.get(kind) ?? 0) + 1)
      } catch (error) {
        if (!(error instanceof Refused)) failures.push(`${kind}: ${(error as Error).message}`)
      }
      await delay(PAUSE_MS)
    }
  }
  const running = Object.entries(clients).map(([kind, write]) => repeat(kind, write))
  return {
    answeredMore: async (more, withinMs = 60_000) => {
      const goals = [...rounds].map(([kind, count]) => [kind, count + more] as const)
      const late = () => goals.filter(([kind, goal]) => (rounds.get(kind) ?? 0) < goal).map(([kind]) => kind)
      await waitFor(
        () => Promise.resolve({ late: late(), failures }),
        (now) => now.late.length === 0 || now.failures.length > 0,
        withinMs,
      )
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
      return failures
    },
  }
}

type Clients = Record<string, (round: number) => Promise<unknown>>

/** Of the ERP: products, their categories, images and stock, and full syncs of categories. */
function writeCatalog({ erp }: PartnerShop, host: ImageHost, name: string): Clients {
  const some = (round: number, kind: string) =>
    Array.from({ length: 10 }, (_, index) => ({ id_erp: `${name}-${kind}-${round}-${index}`, name: kind }))
  const upsert = async (items: object[]) => accept(await erp.post('/products/batch-upsert', items), 200)
  const category = (round: number) => `${name}-C-${round}`
  return {
    // their category arrives later, and its parent later still
    products: (round) => {
      const attributes = [{ name: `${name} ${round}`, value: '1' }]
      return upsert(some(round, 'P').map((item) => ({ ...item, category_id_erp: category(round), attributes })))
    },
    categories: async (round) => {
      const parent_id_erp = round % 2 === 0 ? category(round + 1) : null
      const image_url = host.put(`/${name}-C${round}.png`, png(round, 3, name.length + 1))
      const item = { id_erp: category(round), name: 'Category', parent_id_erp, image_url }
      accept(await erp.post('/categories/batch-upsert', [item]), 200)
    },
    images: (round) => {
      const url = host.put(`/${name}-${round}.png`, png(round, 2, name.length + 1))
      return upsert([{ id_erp: `${name}-I-${round}`, name: 'Image', images: [{ url }, { url: `${url}.missing` }] }])
    },
    stocks: async (round) => {
      const items = some(round, 'S')
      await upsert(items)
      const keys = items.map(({ id_erp }) => ({ product_id_erp: id_erp }))
      const stocks = keys.map((key) => ({ ...key, quantity: round }))
      accept(await erp.post('/stocks/batch-update', stocks), 200)
      const prices = keys.map((key) => ({ ...key, selling_price: round }))
      accept(await erp.post('/prices/batch-update', prices), 200)
    },
    deletions: async (round) => {
      const items = some(round, 'D')
      await upsert(items)
      accept(await erp.post('/products/delete', { ids_erp: items.map(({ id_erp }) => id_erp) }), 200)
    },
    'full syncs': async (round) => {
      // one that is being completed ends by itself
      const { id = '' } = await waitFor(
        async () => {
          const { full_sync, ...started } = accept(await erp.post<StartedSync>('/full-sync'), 200, 409)
          return full_sync ?? started
        },
        ({ status }) => status === 'open',
      )
      // products are not swept: the stock of other clients could not be written
      const item = { id_erp: `${name}-F-${round}`, name: 'Category' }
      accept(await erp.post('/categories/batch-upsert', [item], { 'x-full-sync': id }), 200)
      accept(await erp.post(`/full-sync/${id}/complete`, { max_deactivated_percent: 100 }), 200)
    },
  }
}

interface FullSync {
  id: string
  status: string
}
/** `full_sync` when another one was open */
type StartedSync = Partial<FullSync> & { full_sync?: FullSync }

/** Of partners, administrators and schedules: price lists. */
async function writeLists(shop: PartnerShop, host: ImageHost, name: string): Promise<Clients> {
  const { admin, partner } = shop
  const [replaced, merged, fetched] = await Promise.all(
    ['replaced', 'merged', 'fetched'].map((kind) => shop.newList(`${name} ${kind}`)),
  )
  if (!replaced || !merged || !fetched) throw new Error('no lists')
  accept(await admin.patch(`/price-lists/${merged.id}`, { mode: 'merge' }), 200)
  accept(await admin.patch('/settings', { storages_for_crosses: [replaced.storageId, merged.storageId] }), 200)
  let fetches = 0
  const url = host.on(`/${name}.csv`, (_request, response) => response.end(listText(`FETCHED${(fetches += 1)}`)))
  const sources = [{ kind: 'url', url, every_minutes: 600 }]
  accept(await admin.patch(`/price-lists/${fetched.id}`, { sources }), 200)
  const send = async ({ id }: PartnerList, brand: string) => {
    const { task_id } = accept(await upload(partner, id, listText(brand)), 200)
    await waitFor(() => lookAt(shop, task_id), isOver, 60_000)
  }
  return {
    uploads: async (round) => {
      await send(replaced, `REPLACED${round}`)
      if (round > 0) accept(await admin.post(`/price-lists/${replaced.id}/rollback`), 200)
    },
    merges: (round) => send(merged, `MERGED${round}`),
    sources: async () => accept(await admin.post(`/price-lists/${fetched.id}/sources/1/run`), 200),
    previews: async () => {
      const { body, headers } = uploadForm(replaced.id, listText('PREVIEWED'))
      accept(await admin.send('POST', `/price-lists/${replaced.id}/preview`, { body, headers }), 200)
    },
    lists: async (round) => {
      const list = { name: `${name} ${round}`, storage_id: replaced.storageId }
      const { id } = accept(await admin.post<{ id: number }>('/price-lists', list), 201)
      await send({ ...replaced, id }, 'DELETED')
      // its import holds the list for a moment longer
      await waitFor(
        async () => accept(await admin.delete(`/price-lists/${id}?with_history=true`), 204, 409),
        (refusal) => refusal === undefined,
      )
    },
  }
}

function listText(brand: string): string {
  // every fiftieth row is skipped
  const rows = Array.from({ length: ROWS }, (_, row) => `${brand};B${row};Part;1;${row % 50 === 0 ? 'none' : 10}`)
  return `brand;article;name;quantity;price\n${rows.join('\n')}\n`
}

/** Of administrators: what everything else refers to. */
function writeOthers({ admin }: PartnerShop, name: string): Clients {
  const remake = async (path: string, item: object, other: object): Promise<number> => {
    const { id } = accept(await admin.post<{ id: number }>(path, item), 201)
    accept(await admin.patch(`${path}/${id}`, other), 200)
    return id
  }
  const remove = async (path: string, id: number) => accept(await admin.delete(`${path}/${id}`), 200, 204)
  return {
    places: async (round) => {
      const storage = await remake('/storages', { name: `${name} ${round}` }, { name: `${name} ${round}, renamed` })
      const point = { name: `${name} ${round}`, storage_ids: [storage] }
      const id = await remake('/pick-up-points', point, { city: 'Kazan' })
      if (round % 2 === 0) return
      await remove('/pick-up-points', id)
      await remove('/storages', storage)
    },
    spellings: async (round) => {
      const group = { canonical: `${name} BRAND ${round}`, synonyms: [`${name} B${round}`] }
      const id = await remake('/brand-synonyms', group, { synonyms: [] })
      if (round % 2 === 1) await remove('/brand-synonyms', id)
    },
    people: async (round) => {
      const person = { name: `${name}-${round}`, role: 'viewer' }
      const id = await remake('/administrators', person, { role: 'manager' })
      if (round % 2 === 1) await remove('/administrators', id)
    },
  }
}
