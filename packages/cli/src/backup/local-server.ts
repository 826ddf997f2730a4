import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandFailed } from '../exit-codes.js'

type PostgresCopy = typeof import('@partsbus/local-stack/postgres-copy')

/** The tools of the local servers. They are in a checkout, and not in the images. */
export async function openPostgresTools(): Promise<PostgresCopy> {
  try {
    return await import('@partsbus/local-stack/postgres-copy')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandFailed('Run it in a checkout: this image has no tools for the servers of npm start.')
  }
}

/** The state folder of `npm start`: `STATE_DIR`, by default `.state`. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env.STATE_DIR || '.state')
}

/** The port of the PostgreSQL that `npm start` runs in this state folder, or undefined. */
export function ownPostgresPort(stateDir: string): number | undefined {
  try {
    const listed = JSON.parse(readFileSync(join(stateDir, 'processes.json'), 'utf8')) as Listed[]
    const server = listed.find(({ name }) => name === 'postgres')
    return server && isRunning(server.pid) ? server.port : undefined
  } catch {
    return undefined
  }
}

/** The process that uses a state folder, or undefined. */
export function stateFolderUser(stateDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(stateDir, 'stack.lock'), 'utf8').split(' ')[0])
    return isRunning(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

interface Listed {
  name: string
  pid: number
  port?: number
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
