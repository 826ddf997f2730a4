// @ts-check
import { spawn } from 'node:child_process'

/**
 * Runs a command, whose output goes to the error output. It ends with this process.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<string | undefined>} why it failed, or undefined
 */
export async function runCommand(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] })
  const end = () => void child.kill()
  process.once('exit', end)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `It ended with ${signal ?? `code ${code}`}.`),
    )
  }).finally(() => process.off('exit', end))
}
