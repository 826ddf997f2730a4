import { buildConnector, Pool } from 'undici'

const CONNECT_MS = 5_000
const IDLE_MS = 5_000

/**
 * Connections by origin and address. Each pool connects to the one address that was checked, whatever the name resolves
 * to by then: a name cannot be pointed elsewhere between the check and the connection, and a connection that was
 * allowed for one request is never used for another address.
 */
export class HostPools {
  private readonly pools = new Map<string, { pool: Pool; users: number; idle?: NodeJS.Timeout }>()
  private readonly connections: number

  constructor(connectionsPerHost: number) {
    this.connections = connectionsPerHost
  }

  /** Runs `work` with a pool for this origin and address; pools without work are closed after a few seconds. */
  async use<T>(origin: string, address: string, work: (pool: Pool) => Promise<T>): Promise<T> {
    const key = `${origin} ${address}`
    let entry = this.pools.get(key)
    if (!entry) {
      entry = { pool: this.open(origin, address), users: 0 }
      this.pools.set(key, entry)
    }
    clearTimeout(entry.idle)
    entry.users += 1
    try {
      return await work(entry.pool)
    } finally {
      entry.users -= 1
      if (entry.users === 0) entry.idle = setTimeout(() => this.drop(key), IDLE_MS).unref()
    }
  }

  async close(): Promise<void> {
    const entries = [...this.pools.values()]
    this.pools.clear()
    for (const { idle } of entries) clearTimeout(idle)
    await Promise.all(entries.map(({ pool }) => pool.destroy()))
  }

  private open(origin: string, address: string): Pool {
    const connect = buildConnector({ timeout: CONNECT_MS })
    return new Pool(origin, {
      connections: this.connections,
      pipelining: 1,
      maxHeaderSize: 16_384,
      connect: (options, callback) => connect({ ...options, hostname: address }, callback),
    })
  }

  private drop(key: string): void {
    const entry = this.pools.get(key)
    this.pools.delete(key)
    void entry?.pool.destroy()
  }
}
