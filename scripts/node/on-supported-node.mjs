// @ts-check
/**
 * The first import of each script: where Node is too old, the script runs on another one (provide-node.mjs), and the
 * module that imports this is never evaluated. Other imports of the script are linked before: none may name an export
 * of Node that an old Node lacks.
 */
import { spawn } from 'node:child_process'
import { watchParent } from '../start/watch-parent.mjs'
import { provideNode, variablesFor } from './provide-node.mjs'

const node = provideNode()
Object.assign(process.env, variablesFor(node))
if (node !== process.execPath) await runOn(node)

/** Never returns. @param {string} program */
function runOn(program) {
  const child = spawn(program, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  watchParent(() => child.kill('SIGTERM'))
  return new Promise(() => {
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`)
      process.exit(1)
    })
    child.once('exit', (code, signal) => {
      if (signal === null) process.exit(code ?? 1)
      for (const each of signals) process.removeAllListeners(each)
      process.kill(process.pid, signal)
    })
  })
}
