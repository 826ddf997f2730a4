import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed } from '@partsbus/cli/exit-codes'

/** Starts the database of a state folder. What it needs is in a checkout, and not in the images. */
export async function startDatabaseAlone(stateDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  try {
    const stack = await import('@partsbus/local-stack/start-database-alone')
    return await stack.startDatabaseAlone(stateDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandFailed('Run it in a checkout: this image has no tools for the servers of npm start.')
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
