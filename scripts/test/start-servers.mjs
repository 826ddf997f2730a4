// @ts-check
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../prepare.mjs'
import { startOnce } from './started.mjs'

/** Followed by the id of the Jest process. */
const PREFIX = 'partsbus-test-servers-'

/**
 * Jest's globalSetup of the integration specs: one database and one bus for all of them, unless MONGODB_URL and
 * NATS_URL name both. Each spec file uses a database of its own. A new stack takes about 3 s, so no data stays for the
 * next run.
 */
export default async function startServers() {
  if (process.env.MONGODB_URL && process.env.NATS_URL) return
  await startOnce('servers', start)
}

async function start() {
  await prepare()
  const { startStack } = await import('@partsbus/local-stack/start-stack')
  removeOldFolders()
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  const stack = await startStack({ stateDir: folder, isDurable: false })
  process.env.MONGODB_URL = stack.mongodbUrl
  process.env.NATS_URL = stack.natsUrl
  return async () => {
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Jest runs no teardown when it is interrupted. */
function removeOldFolders() {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : 0
    if (pid > 0 && !isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
