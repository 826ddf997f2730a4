// @ts-check
/**
 * Runs in a thread of its own, so that a busy spec delays neither a ping nor a look at the memory. Pings start every 20
 * ms whether or not the one before was answered: a stall of the product costs as many pings as it lasts.
 */
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 20
const TIMEOUT_MS = 10_000
const PAGE_BYTES = 4_096
const MIB = 1024 * 1024

/** @type {{ url: string, authorization: string, pids: [string, number][] }} */
const { url, authorization, pids } = workerData
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
/** @type {number[]} */
const times = []
/** @type {string[]} */
const failures = []
/** @type {Set<Promise<void>>} */
const open = new Set()
const start = new Map(pids.map(([name, pid]) => [name, residentMiB(pid)]))
/** @type {Record<string, number>} */
const growth = Object.fromEntries(pids.map(([name]) => [name, 0]))
/** @type {Record<string, number>} */
const peak = Object.fromEntries(start)
/** @type {Record<string, number>} */
const children = Object.fromEntries(pids.map(([name]) => [name, 0]))

function ping() {
  const begun = performance.now()
  const one = new Promise((/** @type {(status: number | string) => void} */ done) => {
    const request = get(url, { agent, headers: { authorization }, timeout: TIMEOUT_MS }, (response) => {
      response.resume()
      response.once('end', () => done(response.statusCode ?? 0))
      response.once('error', (error) => done(String(error)))
    })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
    request.once('error', (error) => done(String(error)))
  }).then((status) => {
    times.push(status === 200 ? performance.now() - begun : Infinity)
    if (status !== 200) failures.push(String(status))
    open.delete(one)
  })
  open.add(one)
}

function look() {
  for (const [name, pid] of pids) {
    const now = residentMiB(pid)
    growth[name] = Math.max(growth[name] ?? 0, Math.round(now - (start.get(name) ?? 0)))
    peak[name] = Math.max(peak[name] ?? 0, Math.round(now))
    for (const child of childrenOf(pid)) {
      const size = residentMiB(child)
      // the child may have ended between the two looks
      if (size !== Infinity) children[name] = Math.max(children[name] ?? 0, Math.round(size))
    }
  }
}

/** @param {number} pid */
function childrenOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}

/** Infinity when the process is gone. @param {number} pid */
function residentMiB(pid) {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB
  } catch {
    return Infinity
  }
}

const timer = setInterval(() => {
  ping()
  look()
}, EVERY_MS)
ping()
look()
parentPort?.once('message', async () => {
  clearInterval(timer)
  await Promise.all(open)
  look()
  agent.destroy()
  parentPort?.postMessage({ times, failures, growth, peak, children })
})
