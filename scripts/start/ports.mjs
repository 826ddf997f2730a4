// @ts-check
import { createServer } from 'node:net'
import { BadOption } from './options.mjs'

/**
 * The ports of the gateways: `first` and those after it, or free ones when `first` is 0. Throws `BadOption` when one is taken.
 * @param {number} first @param {number} count
 */
export async function claimGatewayPorts(first, count) {
  const ports = []
  for (let index = 0; index < count; index++) {
    const port = first === 0 ? 0 : first + index
    const got = await listenOnce(port)
    if (got === undefined) throw new BadOption(`Port ${port} is taken. Free it, or choose another one: PORT=9080 npm start`)
    ports.push(got)
  }
  return ports
}

/**
 * The port when it could be listened on, on all addresses and on loopback.
 * @param {number} port @returns {Promise<number | undefined>}
 */
async function listenOnce(port) {
  const got = await tryListen(port, undefined)
  return got === undefined ? undefined : tryListen(got, '127.0.0.1')
}

/** @param {number} port @param {string | undefined} host @returns {Promise<number | undefined>} */
function tryListen(port, host) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen({ port, host, exclusive: true }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}
