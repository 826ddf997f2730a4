import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from './shop.js'

export interface EndedCommand {
  /** null when a signal ended it */
  code: number | null
  output: string
  errors: string
}

/** Runs `partsbus` as a shell does, without the servers that specs share. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<EndedCommand> {
  const { MONGODB_URL: _mongodb, NATS_URL: _nats, ...environment } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'packages/operations/bin/partsbus.js'), ...args], {
    cwd: ROOT,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output, errors }
}
