import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import type { NatsConnection } from '@nats-io/transport-node'

const DIST = new URL('../../../administration/dist/', import.meta.url)

/** A sixth of their cost, for specs that sign in a hundred times and are not about it. */
const CHEAP_PASSWORDS = `data:text/javascript,
import { COST } from '${new URL('administrators/password.js', DIST).href}'
Object.assign(COST, { N: ${2 ** 14}, p: 1 })`.replaceAll('\n', ';')

/** The built administration service as a process of its own: a service never imports another's code. */
export class AdministrationProcess {
  private child: ChildProcess | undefined

  constructor(
    private readonly nc: NatsConnection,
    private readonly env: Record<string, string>,
  ) {}

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const args = ['--import', CHEAP_PASSWORDS, fileURLToPath(new URL('main.js', DIST))]
    const child = spawn(process.execPath, args, { env: { ...process.env, ...this.env }, stdio: 'inherit' })
    this.child = child
    const answers = (): Promise<boolean> =>
      this.nc.request(currentSettings.subject, '{}', { timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    const isUp = async (): Promise<boolean> => child.exitCode !== null || (await answers())
    if (!(await waitUntil(isUp, { withinMs: 60_000 })) || child.exitCode !== null)
      throw new Error(`the administration service did not start (${child.exitCode})`)
  }

  /** @param signal SIGKILL: it has no time to tell anybody */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.child
    this.child = undefined
    if (!child || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
}
