// @ts-check
import { createServer } from 'node:net'
import { BadOption } from './options.mjs'

/**
 * Below the range from which the system gives outgoing connections theirs, so that a gateway that died finds its port
 * free.
 */
const FIRST_FREE = 12_000
const FREE_PORTS = 8_000

/**
 * The ports of the gateways: `first` and those after it, or free ones when `first` is 0. Throws `BadOption` when one is
 * taken.
 * @param {number} first @param {number} count
 */
export async function claimGatewayPorts(first, count) {
  if (first === 0) return findFreePorts(count)
  const ports = Array.from({ length: count }, (_, index) => first + index)
  for (const port of ports) {
    if (!(await isFree(port))) throw portTaken(port)
  }
  return ports
}

/**
 * The port of a gateway that another program took while the system started, or the error as it is.
 * @param {unknown} error @param {number[]} gatewayPorts
 */
export function namePortTaken(error, gatewayPorts) {
  const [, port] = /EADDRINUSE\b.*:(\d+)/.exec(error instanceof Error ? error.message : '') ?? []
  return gatewayPorts.includes(Number(port)) ? portTaken(Number(port)) : error
}

/** @param {number} port */
const portTaken = (port) =>
  new BadOption(
    `Port ${port} is taken. Free it, or choose another one: PORT=${port === 9_080 ? 8_190 : 9_080} npm start`,
  )

/** @param {number} count */
async function findFreePorts(count) {
  /** @type {Set<number>} */
  const ports = new Set()
  while (ports.size < count) {
    const port = FIRST_FREE + Math.floor(Math.random() * FREE_PORTS)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** On all addresses, and on loopback. @param {number} port */
async function isFree(port) {
  return (await canListen(port, undefined)) && (await canListen(port, '127.0.0.1'))
}

/** @param {number} port @param {string | undefined} host @returns {Promise<boolean>} */
function canListen(port, host) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
