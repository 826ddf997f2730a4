import { findProgram } from '@partsbus/local-stack/find-program'

/**
 * Names of the database processes that `npm start` supervises on this machine; none if the database runs in Docker.
 * A spec needs them while it is loaded, before the product runs, to skip cases that cannot run here.
 */
export async function databaseProcesses(): Promise<string[]> {
  const only = process.env.LOCAL_STACK
  const { unavailableDockerReason } = await import('@partsbus/local-stack/docker-daemon')
  if ((!only || only === 'docker') && (await unavailableDockerReason()) === undefined) return []
  if ((!only || only === 'path') && findProgram('mongod') !== undefined) return ['mongod']
  return ['ferretdb', 'postgres']
}
