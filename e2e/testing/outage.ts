import { connect } from 'node:net'
import { expect } from '@jest/globals'
import type { RunningProduct } from '@partsbus/local-stack/running-product'
import { signalProcess } from '@partsbus/local-stack/signal-process'
import { waitFor } from '@partsbus/test-kit/wait-for'
import type { ApiResponse } from './api-client.js'
import { withDatabase } from './stored-images.js'

/** Kills a process and waits until it is restarted and all services are ready. */
export async function crash(
  product: RunningProduct,
  name: string,
  atOnce: () => void = () => undefined,
): Promise<void> {
  const { pid } = await product.kill(name)
  atOnce()
  await waitFor(
    async () => product.processes(name)[0]?.pid,
    (now) => now !== undefined && now !== pid,
    60_000,
  )
  await product.waitUntilReady()
}

const AT_ONCE_MS = 1_000

/** Sends a request whose answer must take less than a second. */
export async function answerAtOnce<T extends ApiResponse>(send: () => Promise<T>): Promise<T> {
  const answer = await send()
  expect(answer.ms).toBeLessThan(AT_ONCE_MS)
  return answer
}

const RECOVERY_MS = 5_000

/** Keeps a process down during `check`, and expects that everything is served again within 5 s of its return. */
export async function expectRecovery(
  product: RunningProduct,
  name: string,
  check: () => Promise<void>,
  isServed: (() => Promise<boolean>)[],
): Promise<void> {
  await keepAway(product, name, check)
  await waitFor(() => isBack(product, name), Boolean, 60_000, 20)
  const back = performance.now()
  for (const one of isServed) await waitFor(one, Boolean, 60_000, 50)
  const ms = performance.now() - back
  await product.waitUntilReady()
  expect(ms).toBeLessThan(RECOVERY_MS)
}

/** Whether the process itself serves again, regardless of other processes. */
export async function isBack(product: RunningProduct, name: string): Promise<boolean> {
  const found = product.processes(name)[0]
  if (found === undefined) return false
  if (found.management_port !== undefined) {
    const answer = await fetch(`http://127.0.0.1:${found.management_port}/readyz`).catch(() => undefined)
    return answer?.status === 200
  }
  if (name === 'nats') return accepts(found.port ?? 0)
  const url = product.databaseUrl()
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
 * Kills a process repeatedly while `during` runs. The product restarts a process at once, so a single kill is too short
 * an outage to test.
 */
export async function keepAway<T>(product: RunningProduct, name: string, during: () => Promise<T>): Promise<T> {
  const state = { over: false }
  const killer = (async () => {
    while (!state.over) {
      for (const { pid } of product.processes(name)) signalProcess(pid, 'SIGKILL')
      await new Promise((done) => setTimeout(done, 10))
    }
  })()
  try {
    // A request to a process that dies gets no response before its time limit.
    await waitFor(
      async () => product.processes(name),
      (found) => found.length === 0,
      60_000,
      5,
    )
    return await during()
  } finally {
    state.over = true
    await killer
  }
}
