// @ts-check
/** @type {{ partsbusServers?: Promise<import('./start-servers.mjs').TestServers> }} */
const shared = /** @type {any} */ (globalThis)

/**
 * Jest's globalTeardown. In watch mode the servers stay for the next run and end with Jest.
 * @param {{ watch: boolean, watchAll: boolean }} config
 */
export default async function stopServers({ watch, watchAll }) {
  if (watch || watchAll) return
  const servers = await shared.partsbusServers
  delete shared.partsbusServers
  await servers?.stop()
}
