import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process of `npm start`, as its state folder lists it. */
export interface ListedProcess {
  name: string
  pid: number
  port?: number
}

/** The state folder of `npm start`. */
export const stateFolder = (env: NodeJS.ProcessEnv): string => env.STATE_DIR || '.state'

/** Address of the gateway: `PARTSBUS_URL`, else the `PORT` of `npm start`, else that of the gateway that runs now. */
export function gatewayUrl(env: NodeJS.ProcessEnv): string {
  return env.PARTSBUS_URL?.replace(/\/$/, '') || `http://127.0.0.1:${givenPort(env) ?? runningPort(env) ?? 8080}`
}

/** The token in the state folder. */
export const storedAdminToken = (env: NodeJS.ProcessEnv): string | undefined =>
  readIfPresent(join(stateFolder(env), 'admin-token'))

/** @throws when nothing was started from the folder */
export function listedProcesses(folder: string): ListedProcess[] {
  return JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as ListedProcess[]
}

export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** 0 means any free port, and compose takes an address as well. */
function givenPort({ PORT: port = '' }: NodeJS.ProcessEnv): number | undefined {
  return /^\d+$/.test(port) && Number(port) > 0 ? Number(port) : undefined
}

/** The list stays when its processes are gone. */
function runningPort(env: NodeJS.ProcessEnv): number | undefined {
  try {
    const gateways = listedProcesses(stateFolder(env)).filter(({ name }) => /^gateway\b/.test(name))
    return gateways.find(({ pid }) => isRunning(pid))?.port
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // it belongs to another user
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
