import type { BenchProduct } from '../clients/catalogue.js'
import { ACCOUNT } from './account.js'
import { type ApiClient, expectItems, openApi } from './api-client.js'
import { installPeer, peerVersion } from './install-peer.js'
import type { Call, Peer, Work } from './peer.js'
import { startPeer } from './start-peer.js'

const CLI = 'node_modules/@medusajs/cli/cli.js'
const OPTION = 'Pack'
const VALUE = 'One'

/** What a later call needs of a product that was created. */
interface Stored {
  id: string
  variant?: string
  inventoryItem?: string
}

interface BatchAnswer {
  created: Array<{ id: string; external_id: string; variants?: StoredVariant[] }>
  updated: unknown[]
}

interface StoredVariant {
  id: string
  inventory_items?: Array<{ inventory_item_id: string }>
}

export const medusa: Peer = {
  name: 'medusa',
  title: `Medusa ${peerVersion('medusa', '@medusajs/medusa')}`,
  install: async (log) => void (await installPeer('medusa', log)),
  async start(log) {
    const user = [CLI, 'user', '--email', ACCOUNT.email, '--password', ACCOUNT.password]
    const server = await startPeer(
      await installPeer('medusa', log),
      {
        name: 'medusa',
        migrate: [[CLI, 'db:migrate'], user],
        server: [CLI, 'start'],
        healthPath: '/health',
        env: (databaseUrl, port) => ({
          DATABASE_URL: databaseUrl.href,
          PORT: String(port),
          HOST: '127.0.0.1',
          BENCH_SECRET: ACCOUNT.password,
          LOG_LEVEL: 'warn',
          MEDUSA_DISABLE_TELEMETRY: '1',
        }),
      },
      log,
    )
    const guest = openApi(server.url, '')
    const { token } = await guest.request<{ token: string }>('POST', '/auth/user/emailpass', ACCOUNT)
    guest.close()
    const api = openApi(server.url, token)
    const { stock_location: location } = await api.request<{ stock_location: { id: string } }>(
      'POST',
      '/admin/stock-locations',
      { name: 'Bench' },
    )
    return {
      ...server,
      work: makeWork(api, location.id),
      stop: async () => {
        api.close()
        await server.stop()
      },
    }
  },
}

function makeWork(api: ApiClient, location: string): Work[] {
  const stored = new Map<string, Stored>()
  const of = (item: BenchProduct): Stored => {
    const one = stored.get(item.id_erp)
    if (one === undefined) throw new Error(`${item.id_erp} was not created`)
    return one
  }
  const create =
    (form: (item: BenchProduct) => object): Call =>
    (items) => {
      const body = JSON.stringify({ create: items.map(form) })
      return async () => {
        const fields = 'id,external_id,variants.id,variants.inventory_items.inventory_item_id'
        const { created } = await api.request<BatchAnswer>('POST', `/admin/products/batch?fields=${fields}`, body)
        expectItems('products/batch', created.length, items.length)
        for (const { id, external_id, variants } of created)
          stored.set(external_id, {
            id,
            variant: variants?.[0]?.id,
            inventoryItem: variants?.[0]?.inventory_items?.[0]?.inventory_item_id,
          })
      }
    }
  const change =
    (form: (item: BenchProduct) => object): Call =>
    (items) => {
      const body = JSON.stringify({ update: items.map((item) => ({ id: of(item).id, ...form(item) })) })
      return async () => {
        const { updated } = await api.request<BatchAnswer>('POST', '/admin/products/batch?fields=id', body)
        expectItems('products/batch', updated.length, items.length)
      }
    }
  const levels =
    (verb: 'create' | 'update'): Call =>
    (items) => {
      const rows = items.map((item) => ({
        inventory_item_id: of(item).inventoryItem,
        location_id: location,
        stocked_quantity: item.sort_order % 500,
      }))
      const body = JSON.stringify({ [verb]: rows })
      return async () => {
        const path = '/admin/inventory-items/location-levels/batch'
        const answer = await api.request<{ created: unknown[]; updated: unknown[] }>('POST', path, body)
        expectItems('location-levels/batch', answer[verb === 'create' ? 'created' : 'updated'].length, items.length)
      }
    }
  const createSellable = create((item) => ({ ...newCard(item), variants: [variant(item)] }))
  const changeSellable = change((item) => ({
    ...card(item),
    variants: [{ id: of(item).variant, prices: [price(item)] }],
  }))
  return [
    { kind: 'cards', sizes: [200, 1_000], create: create(newCard), change: change(card) },
    { kind: 'sellable', sizes: [200, 1_000], create: createSellable, change: changeSellable },
    {
      kind: 'stock',
      sizes: [200, 1_000],
      prepare: createSellable,
      create: levels('create'),
      change: levels('update'),
    },
  ]
}

/** Attributes are metadata, which costs least: a column of JSON. */
const card = (item: BenchProduct) => ({
  title: item.name,
  description: item.description_full,
  metadata: { brand: item.brand, article: item.article, sort: item.sort_order, attributes: item.attributes },
})

/** A product without options is refused. */
const newCard = (item: BenchProduct) => ({
  ...card(item),
  external_id: item.id_erp,
  handle: item.id_erp,
  status: 'published',
  options: [{ title: OPTION, values: [VALUE] }],
})

const variant = (item: BenchProduct) => ({
  title: VALUE,
  sku: `${item.id_erp}/${item.article}`,
  options: { [OPTION]: VALUE },
  manage_inventory: true,
  prices: [price(item)],
})

const price = (item: BenchProduct) => ({ currency_code: 'eur', amount: (item.sort_order % 9_000) + 1 })
