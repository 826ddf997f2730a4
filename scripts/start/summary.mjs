// @ts-check
import { relative } from 'node:path'

const HOW = {
  external: 'external',
  docker: 'in Docker',
  path: 'from PATH',
  built: 'built into the cache folder',
}

/**
 * The text on the console when all processes are ready.
 * @param {object} up
 * @param {number[]} up.gatewayPorts
 * @param {string} up.adminToken
 * @param {boolean} up.isTokenKept false when the token came from the environment
 * @param {string} up.stateDir
 * @param {import('@partsbus/local-stack/start-stack').Stack} up.stack
 */
export function summary({ gatewayPorts, adminToken, isTokenKept, stateDir, stack }) {
  const fromHere = relative(process.cwd(), stateDir) || '.'
  const folder = fromHere.startsWith('..') ? stateDir : fromHere
  const urls = gatewayPorts.map((port) => `http://127.0.0.1:${port}`)
  return `
Partsbus is up.

  open this    ${urls[0]}/admin   (sign in with the admin token)
  HTTP         ${urls.join('  ')}   (its documentation: ${urls[0]}/docs)
  admin token  ${adminToken}${isTokenKept ? `   (kept in ${folder}/admin-token)` : ''}
  MongoDB      ${withoutPassword(stack.mongodbUrl)}   (${HOW[stack.how.mongodb]})
  NATS         ${withoutPassword(stack.natsUrl)}   (${HOW[stack.how.nats]})
  logs         ${folder}/logs   (warnings and errors are shown here as well)
  processes    ${folder}/processes.json

The first call:

  curl -H 'Authorization: Bearer ${adminToken}' ${urls[0]}/api/admin/settings

Ctrl-C stops everything; the data stays in ${folder}.
`
}

/** @param {string} url */
export function withoutPassword(url) {
  return url.replace(/(\/\/|,)([^/@,]*):[^/@,]*@/g, '$1$2:***@')
}
