import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '@partsbus/local-stack/build-cache'
import type { Measurement } from './measure-work.js'
import type { Kind } from './peer.js'

/** Measurements of one peer, so that an interrupted run continues with what is missing. */
export interface PeerResults {
  title: string
  machine: string
  measured: Array<Measurement & { kind: Kind; size: number }>
}

const file = (name: string): string => join(cacheFolder(), 'peers', 'results', `${name}.json`)

/** @returns what was measured of this version on this machine */
export function readResults(name: string, title: string, machine: string): PeerResults {
  const stored = existsSync(file(name)) ? (JSON.parse(readFileSync(file(name), 'utf8')) as PeerResults) : undefined
  return stored?.title === title && stored.machine === machine ? stored : { title, machine, measured: [] }
}

export function storeResults(name: string, results: PeerResults): void {
  mkdirSync(join(cacheFolder(), 'peers', 'results'), { recursive: true })
  writeFileSync(`${file(name)}.new`, JSON.stringify(results))
  renameSync(`${file(name)}.new`, file(name))
}

export function forgetResults(name: string): void {
  rmSync(file(name), { force: true })
}
