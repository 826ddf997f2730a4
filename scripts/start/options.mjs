// @ts-check
/** The variables `npm start` reads. */
import { resolve } from 'node:path'

export const SERVICES = ['catalog', 'stock', 'pricing-import', 'supplier-search', 'gateway']

const MOST_REPLICAS = 16

/** A variable that cannot be used: its message is for a person at a terminal. */
export class BadOption extends Error {}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the checkout, in which a relative STATE_DIR lies
 * @returns {{port: number, stateDir: string, replicas: Record<string, number>}}
 */
export function readOptions(env, root) {
  return {
    port: readPort(env.PORT || '8080'),
    stateDir: resolve(root, env.STATE_DIR || '.state'),
    replicas: readReplicas(env.REPLICAS ?? ''),
  }
}

/** @param {string} text */
function readPort(text) {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadOption(`PORT=${text} is not a port: give a number from 0 (any free one) to 65535.`)
  return port
}

/**
 * `catalog=2,gateway=2` → how many of each service, one where nothing is said.
 * @param {string} text
 */
export function readReplicas(text) {
  const replicas = Object.fromEntries(SERVICES.map((name) => [name, 1]))
  for (const part of text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')) {
    const [, name = '', count = ''] = part.match(/^([^=]*)=(.*)$/) ?? []
    if (!SERVICES.includes(name.trim())) {
      throw new BadOption(
        `REPLICAS: "${part}" names no service. Write it like catalog=2,gateway=2; the services are ${SERVICES.join(', ')}.`,
      )
    }
    if (!/^\d+$/.test(count.trim()) || Number(count) < 1 || Number(count) > MOST_REPLICAS) {
      throw new BadOption(`REPLICAS: "${part}" must give a number from 1 to ${MOST_REPLICAS}.`)
    }
    replicas[name.trim()] = Number(count)
  }
  return replicas
}
