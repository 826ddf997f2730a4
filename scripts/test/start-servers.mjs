// @ts-check
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../prepare.mjs'

/** Followed by the id of the Jest process. */
const PREFIX = 'partsbus-test-servers-'

/**
 * What one Jest process started, shared by its projects and by the runs of one watch.
 * @typedef {{ stop: () => Promise<void> }} TestServers
 * @type {{ partsbusServers?: Promise<TestServers> }}
 */
const shared = /** @type {any} */ (globalThis)

/**
 * Jest's globalSetup: one database and one bus for all specs of the run, unless MONGODB_URL and NATS_URL name both.
 * Each spec file uses a database of its own. A new stack takes about 2 s, so nothing is left over from the run before.
 */
export default async function startServers() {
  if (process.env.MONGODB_URL && process.env.NATS_URL && shared.partsbusServers === undefined) return
  shared.partsbusServers ??= start()
  await shared.partsbusServers
}

async function start() {
  prepare()
  const { startStack } = await import('@partsbus/local-stack/start-stack')
  removeOldFolders()
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  const stack = await startStack({ stateDir: folder })
  process.env.MONGODB_URL = stack.mongodbUrl
  process.env.NATS_URL = stack.natsUrl
  return {
    stop: async () => {
      await stack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
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
