import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { findNatsServer, natsPlan } from './nats-process.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import { SupervisedProcess } from './supervised-process.ts'

export interface NatsOptions {
  /** Default: a temporary folder, removed by `stop`. */
  stateDir?: string
  port?: number
  /** Lines for the server's configuration file: users, permissions, limits. */
  config?: string
}

export interface NatsServer {
  url: string
  port: number
  pid(): number | undefined
  /** Kills the server. It is not restarted until `restart` is called. */
  kill(): Promise<void>
  /** Restarts the server on the same port, with or without the content of its streams. */
  restart(options?: { emptied?: boolean }): Promise<void>
  /** Stops the server. */
  stop(): Promise<void>
}

/** A separate nats-server, for a test that stops or fills its bus. Requires nats-server or Go on PATH. */
export async function startNats(options: NatsOptions = {}): Promise<NatsServer> {
  const program = await findNatsServer((line) => console.error(line))
  if (program === undefined) throw new StackUnavailable('nats-server is not available. Put nats-server or Go on PATH.')
  const stateDir = options.stateDir ?? mkdtempSync(join(tmpdir(), 'partsbus-nats-'))
  const port = options.port ?? (await findFreePort())
  const plan = natsPlan({ program, stateDir, port, extra: options.config }, join(stateDir, 'nats.log'))
  let server = new SupervisedProcess(plan)
  await server.start()
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: () => server.pid,
    kill: () => server.killForGood(),
    restart: async ({ emptied = false } = {}) => {
      await server.stop()
      if (emptied) rmSync(join(stateDir, 'jetstream'), { recursive: true, force: true })
      server = new SupervisedProcess(plan)
      await server.start()
    },
    stop: async () => {
      await server.stop()
      if (options.stateDir === undefined) rmSync(stateDir, { recursive: true, force: true })
    },
  }
}
