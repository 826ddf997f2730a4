import type { Door } from './door.js'
import { expectStatus, readAll, type Product, type Shop, type Supply } from './shop.js'

/*
 * Clients that write and remember, in the manner of Jepsen. Each owns its keys and writes one value after another;
 * what is not answered 200 is sent again until it is. At any time a key's value is the last acknowledged one,
 * or the one on its way.
 */

/** A request whose service died is answered only when its time limit is over; a client does not wait that long. */
const PATIENCE_MS = 5_000

interface Owned {
  acknowledged: number
  /** all values that were acknowledged, in order */
  history: number[]
  onItsWay: number | undefined
}

export interface Mismatch {
  key: string
  stored: unknown
  acknowledged: number
  onItsWay: number | undefined
}

export class WriteLog {
  /** by `products/<id>` or `stocks/<id>` */
  readonly keys = new Map<string, Owned>()
  /** how many batches were answered 200 */
  batches = 0
  /** how many times something else came, or nothing */
  readonly refused = new Map<string, number>()
  private stopping = false
  private readonly clients: Promise<void>[] = []

  /** One client that writes its own products, over and over, until `stop`. */
  writeProducts(door: () => Door, client: string, size: number): void {
    const ids = Array.from({ length: size }, (_, index) => `${client}-${index}`)
    this.run('products', ids, (value) => door().send('POST', '/products/batch-upsert', {
      timeoutMs: PATIENCE_MS,
      body: ids.map((id) => ({ id_erp: id, name: `Product ${id}`, sort_order: value, attributes: [{ name: 'value', value: String(value) }, { name: 'client', value: client }] })),
    }))
  }

  /** One client that writes the stock of products that exist. */
  writeStocks(door: () => Door, ids: string[]): void {
    this.run('stocks', ids, (value) => door().send('POST', '/stocks/batch-update', {
      timeoutMs: PATIENCE_MS,
      body: ids.map((id) => ({ product_id_erp: id, quantity: value })),
    }))
  }

  /** Ends when every client has had its last batch answered: what was not answered was repeated. */
  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.clients)
  }

  /** Waits until this many more batches were acknowledged. */
  async acknowledgedMore(count: number, withinMs = 60_000): Promise<void> {
    const goal = this.batches + count
    const end = Date.now() + withinMs
    while (this.batches < goal) {
      if (Date.now() > end) throw new Error(`${goal - this.batches} of ${count} batches are still not acknowledged; answers: ${JSON.stringify([...this.refused])}`)
      await new Promise((done) => setTimeout(done, 10))
    }
  }

  /** Compares what is stored with what was acknowledged; what is on its way may be there or not. */
  async compare(shop: Shop): Promise<Mismatch[]> {
    const before = new Map([...this.keys].map(([key, owned]) => [key, { ...owned }]))
    const products = await readAll<Product>(shop.admin, '/products')
    const supplies = await readAll<Supply>(shop.admin, '/supplies')
    const erpIds = new Map(products.map((product) => [product.id, product.erp_id]))
    const stored = new Map<string, number>([
      ...products.map((product) => [`products/${product.erp_id}`, product.attributes.find((one) => one.name === 'value')?.value === String(product.sort) ? product.sort : NaN] as const),
      ...supplies.map((supply) => [`stocks/${erpIds.get(supply.product_id)}`, supply.quantity] as const),
    ])
    return [...before].flatMap(([key, { acknowledged, onItsWay }]) => {
      const value = stored.get(key) ?? 0
      const now = this.keys.get(key)
      // While clients go on writing, anything from the last acknowledged value on may be read.
      const newest = this.stopping ? (onItsWay ?? acknowledged) : (now?.onItsWay ?? now?.acknowledged ?? acknowledged)
      return value >= acknowledged && value <= newest ? [] : [{ key, stored: value, acknowledged, onItsWay }]
    })
  }

  private run(kind: 'products' | 'stocks', ids: string[], send: (value: number) => ReturnType<Door['send']>): void {
    const owned = ids.map((id) => {
      const one: Owned = { acknowledged: 0, history: [], onItsWay: undefined }
      this.keys.set(`${kind}/${id}`, one)
      return one
    })
    this.clients.push(this.loop(owned, ids.length, send))
  }

  private async loop(owned: Owned[], size: number, send: (value: number) => ReturnType<Door['send']>): Promise<void> {
    for (let value = 1; !this.stopping; value++) {
      for (const one of owned) one.onItsWay = value
      while (!(await this.isAcknowledged(size, () => send(value)))) await new Promise((done) => setTimeout(done, 100))
      for (const one of owned) {
        one.acknowledged = value
        one.history.push(value)
        one.onItsWay = undefined
      }
      this.batches += 1
    }
  }

  private async isAcknowledged(size: number, send: () => ReturnType<Door['send']>): Promise<boolean> {
    try {
      const answer = await send()
      if (answer.status !== 200) {
        this.note(`${answer.status} ${answer.text.slice(0, 200)}`)
        return false
      }
      const { processed, errors } = expectStatus(answer, 200).body as { processed: number; errors: unknown[] }
      if (processed !== size || errors.length > 0) throw new Error(`A batch was answered ${answer.text.slice(0, 500)}`)
      return true
    } catch (error) {
      this.note(error instanceof Error ? error.message.slice(0, 80) : String(error))
      return false
    }
  }

  private note(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1)
  }
}
