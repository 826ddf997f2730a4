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
    writeFileSync(`${file}.new`, `${JSON.stringify(entries, undefined, 2)}\n`)
    renameSync(`${file}.new`, file)
  }
}
