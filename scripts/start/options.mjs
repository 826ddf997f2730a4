// @ts-check
/** The variables `npm start` reads. */
import { resolve } from 'node:path'

export const SERVICES = ['administration', 'catalog', 'stock', 'pricing-import', 'supplier-search', 'gateway']

const MOST_REPLICAS = 16
const FIRST_INSPECT_PORT = 9_229

/** A variable that cannot be used: its message is for a person at a terminal. */
export class BadOption extends Error {}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the checkout, in which a relative STATE_DIR lies
 * @returns {{port: number, stateDir: string, replicas: Record<string, number>, inspect: Record<string, number>}}
 */
export function readOptions(env, root) {
  return {
    port: readPort(env.PORT || '8080'),
    stateDir: resolve(root, env.STATE_DIR || '.state'),
    replicas: readReplicas(env.REPLICAS ?? ''),
    inspect: readInspect(env.INSPECT ?? ''),
  }
}

/** @param {string} text @param {string} [variable] */
function readPort(text, variable = 'PORT') {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadOption(`${variable}=${text} is not a port: give a number from 0 (any free one) to 65535.`)
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
        `REPLICAS: "${part}" names no service. Write it like catalog=2,gateway=2; ` +
          `the services are ${SERVICES.join(', ')}.`,
      )
    }
    if (!/^\d+$/.test(count.trim()) || Number(count) < 1 || Number(count) > MOST_REPLICAS) {
      throw new BadOption(`REPLICAS: "${part}" must give a number from 1 to ${MOST_REPLICAS}.`)
    }
    replicas[name.trim()] = Number(count)
  }
  return replicas
}

/**
 * `catalog,stock=9300` → the port of the debugger for each service named: as given, else 9229 and up in order.
 * @param {string} text
 * @returns {Record<string, number>}
 */
export function readInspect(text) {
  const names = text.split(',').filter((word) => word.trim() !== '')
  return Object.fromEntries(
    names.map((word, at) => {
      const [name = '', port = String(FIRST_INSPECT_PORT + at)] = word.split('=').map((side) => side.trim())
      if (!SERVICES.includes(name))
        throw new BadOption(`INSPECT: "${word}" names no service. Write it like catalog or catalog=9300.`)
      return [name, readPort(port, 'INSPECT')]
    }),
  )
}
