import type { ApiClient } from './api-client.js'
import { expectStatus, readAll, type Product, type Shop, type Supply } from './shop.js'

/*
 * Clients that record their writes, like Jepsen. Each owns its keys and writes one value after another; a request
 * without a 200 is repeated. At any time the value of a key is the last acknowledged one, or the one in flight. A
 * product also has an attribute for every value written to it, so that a lost write is detected although later ones
 * were stored.
 */

/** Clients do not wait for the time limit of a request whose service died. */
const PATIENCE_MS = 5_000

/** After this many values a client continues with new products, because an item has at most 500 attributes. */
const VALUES_OF_A_PRODUCT = 100

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
  /** acknowledged values that are missing in a product */
  lost: number[]
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

export class WriteLog {
  /** by `products/<id>` or `stocks/<id>` */
  readonly keys = new Map<string, Owned>()
  /** number of batches answered 200 */
  batches = 0
  /** number of other outcomes, by status or error */
  readonly refused = new Map<string, number>()
  private stopping = false
  private frozen = false
  private readonly clients: Promise<void>[] = []

  /** Starts a client that writes its own products repeatedly until `stop`. */
  writeProducts(api: () => ApiClient, client: string, size: number): void {
    const idsOf = (value: number) =>
      Array.from({ length: size }, (_, index) => `${client}-${Math.floor(value / VALUES_OF_A_PRODUCT)}-${index}`)
    this.run('products', idsOf, (value) =>
      api().send('POST', '/products/batch-upsert', {
        timeoutMs: PATIENCE_MS,
        body: idsOf(value).map((id) => ({
          id_erp: id,
          name: `Product ${id}`,
          sort_order: value,
          attributes: [{ name: `value ${value}`, value: String(value) }],
        })),
      }),
    )
  }

  /** Starts a client that writes the stock of existing products. */
  writeStocks(api: () => ApiClient, ids: string[]): void {
    this.run(
      'stocks',
      () => ids,
      (value) =>
        api().send('POST', '/stocks/batch-update', {
          timeoutMs: PATIENCE_MS,
          body: ids.map((id) => ({ product_id_erp: id, quantity: value })),
        }),
    )
  }

  /**
   * Clients start no more requests, so that later writes cannot hide a lost one. Requests in flight may still succeed.
   */
  freeze(): void {
    this.frozen = true
  }

  thaw(): void {
    this.frozen = false
  }

  /** Resolves when the last batch of every client is acknowledged. */
  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.clients)
  }

  /** Waits until this many more batches were acknowledged. */
  async acknowledgedMore(count: number, withinMs = 60_000): Promise<void> {
    const goal = this.batches + count
    const end = Date.now() + withinMs
    while (this.batches < goal) {
      if (Date.now() > end)
        throw new Error(
          `${goal - this.batches} of ${count} batches are still not acknowledged; ` +
            `answers: ${JSON.stringify([...this.refused])}`,
        )
      await pause(10)
    }
  }

  /**
   * Compares the stored values with the acknowledged ones while clients are frozen or stopped. Writes in flight may or
   * may not be stored.
   */
  async compare(shop: Shop): Promise<Mismatch[]> {
    const before = [...this.keys].map(([key, owned]) => ({ key, ...owned, history: [...owned.history] }))
    const products = await readAll<Product>(shop.admin, '/products')
    const supplies = await readAll<Supply>(shop.admin, '/supplies')
    const erpIds = new Map(products.map((product) => [product.id, product.erp_id]))
    const values = new Map<string, number>([
      ...products.map((product) => [`products/${product.erp_id}`, product.sort] as const),
      ...supplies.map((supply) => [`stocks/${erpIds.get(supply.product_id)}`, supply.quantity] as const),
    ])
    const kept = new Map(
      products.map((product) => [`products/${product.erp_id}`, new Set(product.attributes.map((one) => one.value))]),
    )
    return before.flatMap(({ key, acknowledged, history, onItsWay }) => {
      const stored = values.get(key) ?? 0
      const lost = key.startsWith('products/') ? history.filter((value) => !kept.get(key)?.has(String(value))) : []
      return lost.length === 0 && (stored === acknowledged || stored === onItsWay)
        ? []
        : [{ key, stored, acknowledged, onItsWay, lost }]
    })
  }

  private run(
    kind: 'products' | 'stocks',
    idsOf: (value: number) => string[],
    send: (value: number) => ReturnType<ApiClient['send']>,
  ): void {
    const ownedAt = (value: number) =>
      idsOf(value).map((id) => {
        const key = `${kind}/${id}`
        const one = this.keys.get(key) ?? { acknowledged: 0, history: [], onItsWay: undefined }
        this.keys.set(key, one)
        return one
      })
    this.clients.push(this.loop(ownedAt, send))
  }

  private async loop(
    ownedAt: (value: number) => Owned[],
    send: (value: number) => ReturnType<ApiClient['send']>,
  ): Promise<void> {
    for (let value = 1; !this.stopping; value++) {
      await this.whileFrozen()
      const owned = ownedAt(value)
      for (const one of owned) one.onItsWay = value
      while (!(await this.isAcknowledged(owned.length, () => send(value)))) {
        await pause(100)
        await this.whileFrozen()
      }
      for (const one of owned) {
        one.acknowledged = value
        one.history.push(value)
        one.onItsWay = undefined
      }
      this.batches += 1
    }
  }

  private async whileFrozen(): Promise<void> {
    while (this.frozen) await pause(10)
  }

  private async isAcknowledged(size: number, send: () => ReturnType<ApiClient['send']>): Promise<boolean> {
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
