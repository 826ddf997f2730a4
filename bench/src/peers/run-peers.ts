import { machine as describeMachine, writeResults } from '../figures/results.js'
import { directus } from './directus.js'
import { idleLoad, measureWork } from './measure-work.js'
import { medusa } from './medusa.js'
import { partsbus } from './partsbus.js'
import type { Peer } from './peer.js'
import { itemsPerSecond, peersResults } from './peers-page.js'
import { forgetResults, readResults, storeResults } from './results.js'
import { vendure } from './vendure.js'

/** Of one pass; a slow peer is measured with fewer products. */
const DEFAULT_LIMIT_SECONDS = 20
const RANGE = 100_000

const machine = describeMachine()
const log = (line: string): void => console.log(`  ${line}`)

/**
 * `npm run bench -- peers`: measures what is missing and writes docs/measurements/peers.md. `peers medusa` measures
 * Medusa again, `peers install` only installs, `peers page` only writes the page.
 */
export async function runPeers(root: string, wanted: readonly string[]): Promise<void> {
  const peers = [partsbus(root), medusa, vendure, directus]
  const commands = ['install', 'page', ...peers.map(({ name }) => name)]
  const unknown = wanted.find((name) => !commands.includes(name))
  if (unknown !== undefined) throw new Error(`There is no peer ${unknown}; there are ${commands.join(', ')}`)
  const named = peers.filter(({ name }) => wanted.includes(name))
  for (const { name } of wanted.includes('install') ? [] : named) forgetResults(name)
  const missing: string[] = []
  for (const peer of wanted.includes('page') ? [] : named.length > 0 ? named : peers) {
    console.log(`${peer.title} …`)
    try {
      await peer.install(log)
      if (!wanted.includes('install')) await measurePeer(peer)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      console.error(`${peer.title} could not be measured: ${reason}`)
      missing.push(`${peer.title} could not be measured: ${reason.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
  if (wanted.includes('install')) return
  const results = peers.map(({ name, title }) => readResults(name, title, machine))
  const measured = results.filter((one) => one.measured.length > 0)
  writeResults(root, 'peers', peersResults(measured, missing))
}

async function measurePeer(peer: Peer): Promise<void> {
  const results = readResults(peer.name, peer.title, machine)
  const running = await peer.start(log)
  try {
    const idle = await idleLoad(running)
    const groups = running.work.flatMap((work) => work.sizes.map((size) => ({ work, size })))
    for (const [at, { work, size }] of groups.entries()) {
      if (results.measured.some((one) => one.kind === work.kind && one.size === size)) continue
      const limitMs = Number(process.env.BENCH_SECONDS ?? DEFAULT_LIMIT_SECONDS) * 1_000
      const measured = await measureWork(running, work, size, { first: at * RANGE, idle, limitMs })
      results.measured.push({ ...measured, kind: work.kind, size })
      storeResults(peer.name, results)
      const [created, changed] = [measured.created, measured.changed].map((pass) => Math.round(itemsPerSecond(pass)))
      log(`${work.kind}, ${size} a call: ${created} created and ${changed} changed a second`)
    }
  } finally {
    await running.stop()
  }
}
