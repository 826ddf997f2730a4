// @ts-check
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Keeps `processes.json` in the state folder: `[{name, pid, port?, management_port?, replica?}]` of every process that
 * runs now.
 * It is replaced as a whole, so that a reader never sees half of it.
 * @param {string} stateDir
 * @param {() => import('@partsbus/local-stack/supervised-process').SupervisedProcess[]} processes
 * @returns {() => void} writes it
 */
export function processList(stateDir, processes) {
  const file = join(stateDir, 'processes.json')
  return () => {
    const entries = processes()
      .filter((process) => process.pid !== undefined)
      .map(({ plan, pid }) => ({
        name: plan.name,
        pid,
        ...(plan.port !== undefined && { port: plan.port }),
        ...plan.details,
      }))
    try {
      writeFileSync(`${file}.new`, `${JSON.stringify(entries, undefined, 2)}\n`)
      renameSync(`${file}.new`, file)
    } catch (error) {
      // on a full disk; a process that died is restarted all the same, and the next change writes the list
      console.error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
