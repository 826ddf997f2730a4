// @ts-check
/**
 * `npm start`: installs, builds, starts a database, a bus and the six services, and keeps them running until Ctrl-C.
 * `npm run dev` (`--watch`) also rebuilds at each change and restarts the services that changed.
 * The variables are listed in docs/develop/npm-start.md.
 */
import './node/on-supported-node.mjs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, install, isInstalled, root } from './prepare.mjs'
import { echoWarnings } from './start/echo-warnings.mjs'
import { BadOption, readOptions } from './start/options.mjs'
import { claimGatewayPorts, namePortTaken } from './start/ports.mjs'
import { processList } from './start/process-list.mjs'
import { servicePlans } from './start/service-plans.mjs'
import { openStateFolder, readSecrets, fileOwner } from './start/state-folder.mjs'
import { stopInOrder } from './start/stop-in-order.mjs'
import { summary } from './start/summary.mjs'
import { watchBuilds } from './start/watch-builds.mjs'
import { watchParent } from './start/watch-parent.mjs'

const FIRST_START =
  'The first start installs the packages and builds Partsbus and, where there is none, a database and a bus: ' +
  'about two minutes on two cores. Later ones take five seconds.'

/** @type {import('@partsbus/local-stack/supervised-process').SupervisedProcess[]} */
let services = []
/** @type {import('@partsbus/local-stack/start-stack').Stack | undefined} */
let stack
let isUp = false
let isStopping = false
let writeList = () => {}
let stopWatching = () => {}

process.on('SIGINT', () => void end('Stopping …'))
process.on('SIGTERM', () => void end('Stopping …'))
watchParent(() => void end('The process that started this one is gone. Stopping …'))

try {
  await bringUp()
} catch (error) {
  if (!isStopping) await fail(error)
}

async function bringUp() {
  const options = readOptions(process.env, root)
  openStateFolder(options.stateDir)
  const gatewayPorts = await claimGatewayPorts(options.port, options.replicas.gateway ?? 1).catch((error) => {
    const user = fileOwner(options.stateDir)
    throw user === undefined
      ? error
      : new BadOption(`${options.stateDir} is in use by process ${user}: Partsbus runs already.`)
  })
  const { adminToken, secretsKey } = readSecrets(process.env, options.stateDir)
  if (!isInstalled()) console.log(FIRST_START)
  /** @type {typeof import('@partsbus/local-stack/start-stack')} */
  const { startStack } = await localStack('start-stack')
  /** @type {typeof import('@partsbus/local-stack/supervised-process')} */
  const { SupervisedProcess } = await localStack('supervised-process')
  /** @type {typeof import('@partsbus/local-stack/free-port')} */
  const { findFreePort } = await localStack('free-port')
  const list = processList(options.stateDir, () => [...(stack?.servers ?? []), ...services])
  const events = { changed: () => writeList(), died: sayDead }
  const packages = install()
  const log = (/** @type {string} */ line) => console.log(line)
  const starting = startStack({ stateDir: options.stateDir, log, events, packages })
  ;[stack] = await Promise.all([starting.then((started) => (stack = started)), packages.then(build)])
  writeList = list
  list()
  provisionBus(stack.natsUrl)
  const plans = await servicePlans({
    root,
    stateDir: options.stateDir,
    replicas: options.replicas,
    inspect: options.inspect,
    gatewayPorts,
    ownServers: !process.env.MONGODB_URL && !process.env.NATS_URL,
    env: { MONGODB_URL: stack.mongodbUrl, NATS_URL: stack.natsUrl },
    secrets: { ADMIN_TOKEN: adminToken, SECRETS_KEY: secretsKey },
    findFreePort,
  })
  services = plans.map((plan) => new SupervisedProcess(plan, events))
  console.log(`starting ${services.length} service processes …`)
  await Promise.all(services.map((service) => service.start())).catch((error) => {
    throw namePortTaken(error, gatewayPorts)
  })
  if (isStopping) return
  isUp = true
  const print = (/** @type {string} */ line) => console.log(line)
  echoWarnings(plans, print)
  if (process.argv.includes('--watch')) stopWatching = await watchBuilds({ root, services, print })
  const isTokenKept = !process.env.ADMIN_TOKEN && !process.env.ADMIN_TOKEN_FILE
  console.log(summary({ gatewayPorts, adminToken, isTokenKept, stateDir: options.stateDir, stack }))
}

/**
 * A module of packages/local-stack from its source, which Node runs as it is: the servers start, and the first time are
 * built, while the packages are installed and built.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
function localStack(name) {
  return import(new URL(`../packages/local-stack/src/${name}.ts`, import.meta.url).href)
}

/** Creates the streams of the bus. @param {string} natsUrl */
function provisionBus(natsUrl) {
  const program = join(root, 'packages', 'platform', 'dist', 'bus', 'provision-main.js')
  const { status, stderr } = spawnSync(process.execPath, [program], {
    env: { ...process.env, NATS_URL: natsUrl, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    timeout: 30_000,
  })
  // the services create what is missing, where the bus lets them
  if (status !== 0) console.log(stderr.trim() || 'streams not provisioned: the bus did not answer in time')
}

/**
 * A process that exits before all are up is reported once, with the end of its log, after the last attempt.
 *
 * @param {string} name
 * @param {string} how
 * @param {number} pauseMs
 */
function sayDead(name, how, pauseMs) {
  if (isUp && !isStopping) console.log(`${name} exited: ${how}. It restarts in ${pauseMs / 1_000} s.`)
}

/** @param {string} text */
async function end(text) {
  if (isStopping) return
  isStopping = true
  console.log(text)
  stopWatching()
  await stopInOrder(services, stack)
  process.exit(0)
}

/** @param {unknown} error */
async function fail(error) {
  isStopping = true
  const isForPeople = error instanceof BadOption || (error instanceof Error && error.name === 'StackUnavailable')
  console.error(isForPeople ? error.message : error)
  await stopInOrder(services, stack)
  process.exit(1)
}
