import { spawn } from 'node:child_process'
import { killedWithParent, watchChild } from './parent-death.ts'
import { StackUnavailable } from './stack-unavailable.ts'

/** Runs a command. @returns its output @throws StackUnavailable with the last lines of its output when it fails */
export async function runStep(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> {
  const line = killedWithParent({ command, args })
  const child = spawn(line.command, line.args, {
    detached: true,
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  watchChild(child)
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`))
  })
  if (failure === undefined) return output
  const end = output
    .trimEnd()
    .split('\n')
    .slice(-8)
    .map((text) => `  ${text}`)
    .join('\n')
  throw new StackUnavailable(`${command} ${args.slice(0, 3).join(' ')} …: ${failure}\n${end}`)
}
