import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy of a server that a test can block: requests get no response then, and new connections hang. */
export interface BlockableProxy {
  port: number
  block(): void
  unblock(): void
  close(): Promise<void>
}

export async function openBlockableProxy(target: { host: string; port: number }): Promise<BlockableProxy> {
  let blocked = false
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(target)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!blocked) to.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const drop = (): void => {
    for (const [client] of pairs) client.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    block: () => {
      blocked = true
    },
    unblock: () => {
      blocked = false
      // half a message may have been swallowed
      drop()
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        drop()
      }),
  }
}
