import type { Log } from '@partsbus/local-stack/build-cache'
import type { BenchProduct } from '../clients/catalogue.js'
import { ACCOUNT } from './account.js'
import { type ApiClient, expectItems, openApi } from './api-client.js'
import { installPeer, peerVersion } from './install-peer.js'
import type { Call, Peer, Work } from './peer.js'
import { startPeer } from './start-peer.js'

// the command `directus` would also look for a newer version
const CLI = 'node_modules/@directus/api/dist/cli/run.js'
const TOKEN = 'token-of-a-benchmark-on-loopback'

const install = (log: Log) => installPeer('directus', log, { node: 22, compile: ['isolated-vm'] })

export const directus: Peer = {
  name: 'directus',
  title: `Directus ${peerVersion('directus', 'directus')}`,
  install: async (log) => void (await install(log)),
  async start(log) {
    const server = await startPeer(
      await install(log),
      {
        name: 'directus',
        migrate: [[CLI, 'bootstrap']],
        server: [CLI, 'start'],
        healthPath: '/server/ping',
        env: (databaseUrl, port) => ({
          DB_CLIENT: 'pg',
          DB_HOST: databaseUrl.hostname,
          DB_PORT: databaseUrl.port,
          DB_DATABASE: databaseUrl.pathname.slice(1),
          DB_USER: databaseUrl.username,
          DB_PASSWORD: databaseUrl.password,
          HOST: '127.0.0.1',
          PORT: String(port),
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          SECRET: ACCOUNT.password,
          ADMIN_EMAIL: ACCOUNT.email,
          ADMIN_PASSWORD: ACCOUNT.password,
          ADMIN_TOKEN: TOKEN,
          MAX_PAYLOAD_SIZE: '20mb',
          TELEMETRY: 'false',
          LOG_LEVEL: 'warn',
        }),
      },
      log,
    )
    const api = openApi(server.url, TOKEN)
    await createCollections(api)
    return {
      ...server,
      work: makeWork(api),
      stop: async () => {
        api.close()
        await server.stop()
      },
    }
  },
}

// a field without meta is refused
const key = { field: 'id', type: 'string', meta: {}, schema: { is_primary_key: true, is_nullable: false } }
const fields = (types: Record<string, string>) =>
  Object.entries(types).map(([field, type]) => ({ field, type, meta: {}, schema: {} }))
const CARD = { name: 'string', brand: 'string', article: 'string', description: 'text', sort_order: 'integer' }

/** `accountability` null switches off the log of a collection: its activity and its revisions. */
async function createCollections(api: ApiClient): Promise<void> {
  const create = (collection: string, accountability: 'all' | null, own: object[]) =>
    api.request('POST', '/collections', { collection, schema: {}, meta: { accountability }, fields: [key, ...own] })
  await create('cards', null, fields({ ...CARD, attributes: 'json' }))
  await create('logged_cards', 'all', fields({ ...CARD, attributes: 'json' }))
  await create('stock', null, fields({ location: 'integer', quantity: 'integer' }))
  const list = { field: 'attributes', type: 'alias', meta: { special: ['o2m'] } }
  await create('cards_with_records', null, [...fields(CARD), list])
  await create('attributes', null, fields({ card: 'string', name: 'string', value: 'string', type: 'string' }))
  await api.request('POST', '/relations', {
    collection: 'attributes',
    field: 'card',
    related_collection: 'cards_with_records',
    meta: { one_field: 'attributes', one_deselect_action: 'delete' },
    schema: { on_delete: 'CASCADE' },
  })
}

function makeWork(api: ApiClient): Work[] {
  const write =
    (method: 'POST' | 'PATCH', collection: string, form: (item: BenchProduct) => object): Call =>
    (items) => {
      const body = JSON.stringify(items.map(form))
      return async () => {
        const path = `/items/${collection}?fields=id&limit=-1`
        const { data } = await api.request<{ data: unknown[] }>(method, path, body)
        expectItems(collection, data.length, items.length)
      }
    }
  const work = (kind: Work['kind'], collection: string, form: (item: BenchProduct) => object): Work => ({
    kind,
    sizes: [200, 1_000],
    create: write('POST', collection, form),
    change: write('PATCH', collection, form),
  })
  return [
    work('cards', 'cards', (item) => ({ ...card(item), attributes: item.attributes })),
    work('logged', 'logged_cards', (item) => ({ ...card(item), attributes: item.attributes })),
    work('records', 'cards_with_records', (item) => ({ ...card(item), attributes: attributeRecords(item) })),
    work('stock', 'stock', (item) => ({ id: item.id_erp, location: 1, quantity: item.sort_order % 500 })),
  ]
}

const card = ({ id_erp, name, brand, article, description_full, sort_order }: BenchProduct) => ({
  id: id_erp,
  name,
  brand,
  article,
  description: description_full,
  sort_order,
})

/** With keys, so that a change updates the records instead of replacing them. */
const attributeRecords = (item: BenchProduct): object[] =>
  item.attributes.map((attribute, at) => ({ id: `${item.id_erp}/${at}`, ...attribute }))
