// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SERVICES } from './options.mjs'

/**
 * As in deploy/Dockerfile. Batches are large and short-lived: a large young generation makes garbage collection three
 * times cheaper, and a bound on the old generation makes it happen in time. More malloc arenas only retain freed
 * memory.
 */
const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=32', '--max-old-space-size=1024']
const MALLOC = { MALLOC_ARENA_MAX: '2' }

/** The secrets that a service reads. @type {Record<string, string[]>} */
const SECRETS = { gateway: ['ADMIN_TOKEN'], stock: ['SECRETS_KEY'], 'pricing-import': ['SECRETS_KEY'] }

/** @param {NodeJS.ProcessEnv} env @param {string[]} names */
function withoutSecrets(env, names) {
  const hidden = new Set(names.flatMap((name) => [name, `${name}_FILE`]))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)))
}

/**
 * How each replica of each service is run.
 * @param {object} setup
 * @param {string} setup.root the checkout
 * @param {string} setup.stateDir
 * @param {Record<string, number>} setup.replicas
 * @param {Record<string, number>} setup.inspect service → port of the debugger of its first replica
 * @param {number[]} setup.gatewayPorts
 * @param {boolean} setup.ownServers database and bus are this machine's alone, so that files may lie in the state
 * folder
 * @param {Record<string, string>} setup.env variables of every service, besides the environment of this process
 * @param {Record<string, string>} setup.secrets by name; each service gets only those it reads
 * @param {() => Promise<number>} setup.findFreePort
 * @returns {Promise<import('@partsbus/local-stack/supervised-process').ProcessPlan[]>}
 */
export async function servicePlans(setup) {
  const { root, stateDir, replicas, inspect, gatewayPorts, ownServers, env, secrets, findFreePort } = setup
  const plans = []
  const commit = readCommit(root)
  const folders = ownServers ? { UPLOADS_PATH: join(stateDir, 'uploads'), FILES_PATH: join(stateDir, 'files') } : {}
  for (const name of SERVICES) {
    for (let replica = 1; replica <= (replicas[name] ?? 1); replica++) {
      const managementPort = await findFreePort()
      const port = name === 'gateway' ? gatewayPorts[replica - 1] : undefined
      const debuggerFlag = replica === 1 && name in inspect ? [`--inspect=127.0.0.1:${inspect[name]}`] : []
      plans.push({
        name,
        command: process.execPath,
        args: [...NODE_FLAGS, ...debuggerFlag, join(root, 'services', name, 'dist', 'main.js')],
        cwd: root,
        env: {
          NODE_ENV: 'production',
          ...MALLOC,
          // There is no load balancer here, only clients that check /readyz.
          SHUTDOWN_DELAY_MS: '1000',
          PARTSBUS_COMMIT: commit,
          ...folders,
          ...withoutSecrets(process.env, Object.keys(secrets)),
          ...env,
          ...Object.fromEntries((SECRETS[name] ?? []).map((secret) => [secret, secrets[secret] ?? ''])),
          MANAGEMENT_PORT: String(managementPort),
          ...(port !== undefined && { PORT: String(port) }),
        },
        logFile: join(stateDir, 'logs', replica === 1 ? `${name}.log` : `${name}-${replica}.log`),
        port,
        details: { management_port: managementPort, replica },
        isReady: async () => (await readyz(managementPort)).status === 200,
        // a migration takes as long as the data is large
        isStillStarting: async () => (await readyz(managementPort)).body.includes('migrating the database'),
        stopWithinMs: 10_000,
      })
    }
  }
  return plans
}

/** The short hash of the checkout, or '' outside of git. @param {string} root */
function readCommit(root) {
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return git.status === 0 ? git.stdout.trim() : ''
}

/** @param {number} managementPort */
async function readyz(managementPort) {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/readyz`, { signal: AbortSignal.timeout(2_000) })
  return { status: answer.status, body: await answer.text() }
}
