import { connect } from 'node:net'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { waitFor } from './shop.js'
import { databaseUrl, withDatabase } from './stored-images.js'

/** Kills a process and waits until another one has taken its place and everything is ready again. */
export async function crash(
  product: RunningProduct,
  name: string,
  atOnce: () => void = () => undefined,
): Promise<void> {
  const { pid } = product.kill(name)
  atOnce()
  await waitFor(
    async () => product.processes(name)[0]?.pid,
    (now) => now !== undefined && now !== pid,
    20_000,
  )
  await product.waitUntilReady()
}

/** Whether the process itself serves again, whatever the others make of it. */
export async function isBack(product: RunningProduct, name: string): Promise<boolean> {
  const found = product.processes(name)[0]
  if (found === undefined) return false
  if (found.management_port !== undefined) {
    const answer = await fetch(`http://127.0.0.1:${found.management_port}/readyz`).catch(() => undefined)
    return answer?.status === 200
  }
  if (name === 'nats') return accepts(found.port ?? 0)
  const url = databaseUrl(product)
  if (url === undefined) return false
  return withDatabase(url, (client) =>
    client
      .db('admin')
      .admin()
      .listDatabases()
      .then(() => true),
  ).catch(() => false)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/**
 * Kills a process whenever it shows up again, for as long as `during` takes: what died is started again at once,
 * so that one kill alone makes no outage that could be looked at.
 */
export async function keepAway<T>(product: RunningProduct, name: string, during: () => Promise<T>): Promise<T> {
  const state = { over: false }
  const killer = (async () => {
    while (!state.over) {
      for (const { pid } of product.processes(name)) tryKill(pid)
      await new Promise((done) => setTimeout(done, 10))
    }
  })()
  try {
    // What was asked of a process that then dies gets no answer at all, only the time limit.
    await waitFor(
      async () => product.processes(name),
      (found) => found.length === 0,
      10_000,
      5,
    )
    return await during()
  } finally {
    state.over = true
    await killer
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it is dead already
  }
}
