import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProduct } from '@partsbus/local-stack/running-product'
import type { BenchProduct } from '../clients/catalogue.js'
import { connectErp, type Erp } from '../clients/erp.js'
import { expectItems } from './api-client.js'
import type { Call, Part, Peer, Work } from './peer.js'

const PARTS: Record<string, Part> = { nats: 'bus', ferretdb: 'database', postgres: 'database', mongod: 'database' }

/** The project itself, started as a user starts it, so with FerretDB where there is no MongoDB. */
export function partsbus(root: string): Peer {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    name: 'partsbus',
    title: `Partsbus ${version}`,
    install: () => Promise.resolve(),
    async start() {
      const product = await startProduct({ root, env: { LOG_LEVEL: 'warn' } })
      const erp = await connectErp(product)
      return {
        work: makeWork(erp),
        processes: () => product.processes().map(({ name, pid }) => ({ part: PARTS[name] ?? 'program', pid })),
        stop: async () => {
          erp.close()
          await product.stop()
        },
      }
    },
  }
}

function makeWork(erp: Erp): Work[] {
  const cards = upsert(erp)
  const sellable: Call = (items) => {
    const calls = [cards(items), stock(erp)(items), prices(erp)(items)]
    return async () => {
      for (const call of calls) await call()
    }
  }
  return [
    { kind: 'cards', sizes: [200, 1_000], create: cards, change: cards },
    { kind: 'sellable', sizes: [200, 1_000], create: sellable, change: sellable },
    { kind: 'stock', sizes: [200, 1_000], prepare: cards, create: stock(erp), change: stock(erp) },
  ]
}

const upsert = (erp: Erp): Call => post(erp, '/products/batch-upsert', 'processed', (items) => items)

const stock = (erp: Erp): Call =>
  post(erp, '/stocks/batch-update', 'updated', (items) =>
    items.map(({ id_erp, sort_order }) => ({ product_id_erp: id_erp, quantity: sort_order % 500 })),
  )

const prices = (erp: Erp): Call =>
  post(erp, '/prices/batch-update', 'updated', (items) =>
    items.map(({ id_erp, sort_order }) => ({ product_id_erp: id_erp, selling_price: (sort_order % 9_000) + 1 })),
  )

/** @param counted the field of the answer that counts the items */
function post(erp: Erp, path: string, counted: string, form: (items: BenchProduct[]) => unknown[]): Call {
  return (items) => {
    const body = JSON.stringify(form(items))
    return async () => {
      const answer = await erp.post(path, body)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 500)}`)
      const { errors, ...counts } = JSON.parse(answer.body) as Record<string, unknown> & { errors: unknown[] }
      if (errors.length > 0) throw new Error(`${path}: ${JSON.stringify(errors[0])}`)
      expectItems(path, counts[counted] as number, items.length)
    }
  }
}
