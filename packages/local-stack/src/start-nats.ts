import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.js'
import { findNatsServer, natsPlan } from './nats-process.js'
import { StackUnavailable } from './stack-unavailable.js'
import { SupervisedProcess } from './supervised-process.js'

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
  /** Kills it without warning. It stays away until `restart`. */
  kill(): Promise<void>
  /** Starts it again on the same port, with what its streams held, or without any of that; stops it first when it runs. */
  restart(options?: { emptied?: boolean }): Promise<void>
  /** Stops it for good. */
  stop(): Promise<void>
}

/** One more nats-server, for a test that needs a bus of its own to stop or to fill. Needs nats-server or Go on PATH. */
export async function startNats(options: NatsOptions = {}): Promise<NatsServer> {
  const program = await findNatsServer((line) => console.error(line))
  if (program === undefined) throw new StackUnavailable('No nats-server can be had: put nats-server or Go on PATH.')
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
