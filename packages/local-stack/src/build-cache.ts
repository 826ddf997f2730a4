import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { acquirePidLock } from './pid-lock.ts'

export type Log = (line: string) => void

/** The folder of builds that all checkouts of this user share. */
export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(base, 'partsbus', 'local-stack')
}

/**
 * The path of an entry of the cache; `build` creates it when it is missing. It is built under another name and renamed
 * when complete, so that a killed build leaves no entry that looks finished. When two processes need the same entry,
 * the second waits for the first.
 */
export async function fromCache(name: string, log: Log, build: (target: string) => Promise<void>): Promise<string> {
  const folder = cacheFolder()
  const path = join(folder, name)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const release = await lockWhenFree(`${path}.lock`, name, log)
  try {
    if (existsSync(path)) return path
    const target = `${path}.building`
    rmSync(target, { recursive: true, force: true })
    const startedAt = Date.now()
    await withProgress(name, log, () => build(target))
    renameSync(target, path)
    log(`built ${name} in ${seconds(startedAt)} s`)
    return path
  } finally {
    release()
  }
}

/** True when the entry exists. */
export function isCached(name: string): boolean {
  return existsSync(join(cacheFolder(), name))
}

async function lockWhenFree(path: string, name: string, log: Log): Promise<() => void> {
  let said = false
  for (;;) {
    const lock = acquirePidLock(path)
    if ('release' in lock) return lock.release
    if (!said) log(`waiting: process ${lock.heldBy} is building ${name}`)
    said = true
    await delay(300)
  }
}

const inProgress = new Set<string>()
let ticker: NodeJS.Timeout | undefined

/** Reports every ten seconds what is still being built, in one line for all builds. */
async function withProgress(name: string, log: Log, build: () => Promise<void>): Promise<void> {
  const startedAt = Date.now()
  inProgress.add(name)
  ticker ??= setInterval(() => log(`… ${seconds(startedAt)} s: still building ${[...inProgress].join(', ')}`), 10_000)
  try {
    await build()
  } finally {
    inProgress.delete(name)
    if (inProgress.size === 0) {
      clearInterval(ticker)
      ticker = undefined
    }
  }
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1_000)
}
