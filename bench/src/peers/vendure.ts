import type { BenchProduct } from '../clients/catalogue.js'
import { ACCOUNT } from './account.js'
import { type ApiClient, expectItems, openApi } from './api-client.js'
import { installPeer, peerVersion } from './install-peer.js'
import type { Call, Peer, Work } from './peer.js'
import { startPeer } from './start-peer.js'

const API = '/admin-api'
const LANGUAGE = 'en'

interface GraphqlAnswer<Data> {
  data?: Data
  errors?: Array<{ message: string }>
}

interface Id {
  id: string
}

export const vendure: Peer = {
  name: 'vendure',
  title: `Vendure ${peerVersion('vendure', '@vendure/core')}`,
  install: async (log) => void (await installPeer('vendure', log)),
  async start(log) {
    const server = await startPeer(
      await installPeer('vendure', log),
      {
        name: 'vendure',
        migrate: [['--eval', "process.env.BENCH_MIGRATE = '1'; require('./server.cjs')"]],
        server: ['server.cjs'],
        healthPath: '/health',
        env: (databaseUrl, port) => {
          // its driver reads settings of TLS from the address
          databaseUrl.search = ''
          return {
            DATABASE_URL: databaseUrl.href,
            PORT: String(port),
            BENCH_USER: ACCOUNT.email,
            BENCH_SECRET: ACCOUNT.password,
          }
        },
      },
      log,
    )
    const api = openApi(server.url, await signIn(server.url))
    const location = await prepareShop(api)
    return {
      ...server,
      work: makeWork(api, location),
      stop: async () => {
        api.close()
        await server.stop()
      },
    }
  },
}

/** @returns the token, which is in a header of the answer */
async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}${API}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        'mutation ($email: String!, $password: String!) { login(username: $email, password: $password) { __typename }}',
      variables: ACCOUNT,
    }),
  })
  const token = answer.headers.get('vendure-auth-token')
  if (token === null) throw new Error(`login answered ${answer.status}: ${await answer.text()}`)
  return token
}

/** What variants need: a tax category, and a zone of the channel. @returns the stock location */
async function prepareShop(api: ApiClient): Promise<string> {
  const { activeChannel, stockLocations } = await graphql<{ activeChannel: Id; stockLocations: { items: Id[] } }>(
    api,
    '{ activeChannel { id } stockLocations { items { id } } }',
  )
  const { createZone } = await graphql<{ createZone: Id }>(
    api,
    `
      mutation {
        createZone(input: { name: "Bench" }) {
          id
        }
        createTaxCategory(input: { name: "Bench", isDefault: true }) {
          id
        }
      }
    `,
  )
  await graphql(
    api,
    `
      mutation ($input: UpdateChannelInput!) {
        updateChannel(input: $input) {
          __typename
        }
      }
    `,
    { input: { id: activeChannel.id, defaultTaxZoneId: createZone.id, defaultShippingZoneId: createZone.id } },
  )
  return stockLocations.items[0]?.id ?? ''
}

async function graphql<Data>(api: ApiClient, query: string, variables: object = {}): Promise<Data> {
  return dataOf(await api.request<GraphqlAnswer<Data>>('POST', API, { query, variables }))
}

function dataOf<Data>({ data, errors }: GraphqlAnswer<Data>): Data {
  if (data === undefined || data === null || errors) throw new Error(`Vendure: ${errors?.[0]?.message}`)
  return data
}

function makeWork(api: ApiClient, location: string): Work[] {
  const products = new Map<string, string>()
  const variants = new Map<string, string>()
  const send = async <Data>(body: string): Promise<Data> =>
    dataOf(await api.request<GraphqlAnswer<Data>>('POST', API, body))

  const createCards: Call = (items) => {
    // there is no mutation that creates several products: one request with as many mutations as products
    const names = items.map((_, at) => `$i${at}: CreateProductInput!`).join(', ')
    const fields = items.map((_, at) => `p${at}: createProduct(input: $i${at}) { id }`).join('\n')
    const variables = Object.fromEntries(items.map((item, at) => [`i${at}`, { enabled: true, ...card(item) }]))
    const body = JSON.stringify({ query: `mutation (${names}) {\n${fields}\n}`, variables })
    return async () => {
      const created = await send<Record<string, Id>>(body)
      for (const [at, item] of items.entries()) products.set(item.id_erp, created[`p${at}`]?.id ?? '')
    }
  }
  const changeCards: Call = (items) => {
    const query = 'mutation ($input: [UpdateProductInput!]!) { updateProducts(input: $input) { id } }'
    const input = items.map((item) => ({ id: products.get(item.id_erp), ...card(item) }))
    const body = JSON.stringify({ query, variables: { input } })
    return async () => {
      const { updateProducts } = await send<{ updateProducts: Id[] }>(body)
      expectItems('updateProducts', updateProducts.length, items.length)
    }
  }
  const createSellable: Call = (items) => {
    const card = createCards(items)
    return async () => {
      await card()
      const query =
        'mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id sku } }'
      const input = items.map((item) => ({
        productId: products.get(item.id_erp),
        sku: item.id_erp,
        price: price(item),
        translations: [{ languageCode: LANGUAGE, name: item.name }],
      }))
      const { createProductVariants: created } = await graphql<{
        createProductVariants: Array<{ id: string; sku: string }>
      }>(api, query, { input })
      expectItems('createProductVariants', created.length, items.length)
      for (const { id, sku } of created) variants.set(sku, id)
    }
  }
  const updateVariants =
    (form: (item: BenchProduct) => object): Call =>
    (items) => {
      const query = 'mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }'
      const input = items.map((item) => ({ id: variants.get(item.id_erp), ...form(item) }))
      const body = JSON.stringify({ query, variables: { input } })
      return async () => {
        const { updateProductVariants } = await send<{ updateProductVariants: Id[] }>(body)
        expectItems('updateProductVariants', updateProductVariants.length, items.length)
      }
    }
  const changePrices = updateVariants((item) => ({ price: price(item) }))
  const writeStock = updateVariants((item) => ({
    stockLevels: [{ stockLocationId: location, stockOnHand: item.sort_order % 500 }],
  }))
  const changeSellable: Call = (items) => {
    const calls = [changeCards(items), changePrices(items)]
    return async () => {
      for (const call of calls) await call()
    }
  }
  return [
    { kind: 'cards', sizes: [200, 1_000], create: createCards, change: changeCards },
    { kind: 'sellable', sizes: [200], create: createSellable, change: changeSellable },
    { kind: 'stock', sizes: [200], prepare: createSellable, create: writeStock, change: writeStock },
  ]
}

/** Attributes are a text field, which costs least; facets would be tables. */
const card = (item: BenchProduct) => ({
  translations: [{ languageCode: LANGUAGE, name: item.name, slug: item.id_erp, description: item.description_full }],
  customFields: {
    idErp: item.id_erp,
    brand: item.brand,
    article: item.article,
    sortOrder: item.sort_order,
    attributes: JSON.stringify(item.attributes),
  },
})

/** In cents. */
const price = (item: BenchProduct): number => (item.sort_order % 9_000) * 100 + 100
