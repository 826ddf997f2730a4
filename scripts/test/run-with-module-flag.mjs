// @ts-check
import { spawnSync } from 'node:child_process'
import { provideNode, variablesFor } from '../node/provide-node.mjs'

const FLAG = '--experimental-vm-modules'

/**
 * Nest 12 is ESM only, and Jest loads ESM only when Node runs with a flag that cannot be set later. A Jest that was
 * started without it (`npx jest FILE`), or on a Node that is too old, runs again, in the same terminal, and ends with
 * the exit code of that run.
 */
export function runWithModuleFlag() {
  const node = provideNode()
  const options = `${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`
  if (node === process.execPath && options.includes(FLAG)) return
  const { status } = spawnSync(node, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, ...variablesFor(node), NODE_OPTIONS: nodeOptionsOfJest() },
  })
  process.exit(status ?? 1)
}

/** The NODE_OPTIONS of this process and what Jest needs. */
export function nodeOptionsOfJest() {
  return `${process.env.NODE_OPTIONS ?? ''} ${FLAG} --disable-warning=ExperimentalWarning`.trim()
}
