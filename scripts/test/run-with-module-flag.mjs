// @ts-check
import { spawnSync } from 'node:child_process'

const FLAG = '--experimental-vm-modules'

/**
 * Nest 12 is ESM only, and Jest loads ESM only when Node runs with a flag that cannot be set later. A Jest that was
 * started without it (`npx jest FILE`) runs again with it, in the same terminal, and ends with the exit code of that
 * run.
 */
export function runWithModuleFlag() {
  if (`${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`.includes(FLAG)) return
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: nodeOptionsOfJest() },
  })
  process.exit(status ?? 1)
}

/** The NODE_OPTIONS of this process and what Jest needs. */
export function nodeOptionsOfJest() {
  return `${process.env.NODE_OPTIONS ?? ''} ${FLAG} --disable-warning=ExperimentalWarning`.trim()
}
