import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cacheFolder, type Log } from '@partsbus/local-stack/build-cache'
import { makePrivateFolder, readOrCreateCredentials } from '@partsbus/local-stack/credentials'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { postgresPlan, preparePostgres } from '@partsbus/local-stack/postgres'
import { postgresRoot, unavailablePostgresReason } from '@partsbus/local-stack/postgres-root'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'

/** The PostgreSQL of the peers: the program and the settings of the local stack, in a data folder of its own. */
export interface PeerDatabase {
  pid(): number
  /** Of a database, with user and password. */
  url(name: string): string
  /**
   * Replaces the database `name` by a copy of `template`. `fill` creates the template when there is none: it migrates
   * an empty database.
   */
  copyTemplate(template: string, name: string, fill: (url: string) => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** The part of the driver `pg`, which every peer brings, that is used here. */
interface PgClient {
  connect(): Promise<void>
  query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }>
  end(): Promise<void>
}

/** @param peerFolder the installed peer whose driver is used */
export async function startPeerDatabase(peerFolder: string, log: Log): Promise<PeerDatabase> {
  const reason = unavailablePostgresReason()
  if (reason !== undefined) throw new Error(`PostgreSQL of the local stack is not available: ${reason}`)
  const stateDir = join(cacheFolder(), 'peers')
  const logDir = join(stateDir, 'logs')
  makePrivateFolder(stateDir)
  mkdirSync(logDir, { recursive: true })
  const { postgres: superuser, mongodb: client } = readOrCreateCredentials(stateDir)
  const [root, port] = await Promise.all([postgresRoot(log), findFreePort()])
  const place = { root, stateDir: join(stateDir, 'postgres'), port, superuser, client, isDurable: true }
  await preparePostgres(place)
  const server = new SupervisedProcess(postgresPlan(place, join(logDir, 'postgres.log')))
  await server.start()
  const { Client } = createRequire(join(peerFolder, 'package.json'))('pg') as {
    Client: new (options: { connectionString: string }) => PgClient
  }
  const url = (name: string): string =>
    `postgres://${superuser.user}:${superuser.password}@127.0.0.1:${port}/${name}?sslmode=disable`
  const withClient = async <Result>(work: (one: PgClient) => Promise<Result>): Promise<Result> => {
    const one = new Client({ connectionString: url('postgres') })
    await one.connect()
    try {
      return await work(one)
    } finally {
      await one.end()
    }
  }
  const replace = (name: string, template: string) =>
    withClient(async (one) => {
      await one.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
      await one.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`)
    })
  const exists = (name: string) =>
    withClient(async (one) => (await one.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rowCount === 1)

  return {
    pid: () => server.pid ?? 0,
    url,
    copyTemplate: async (template, name, fill) => {
      if (!(await exists(template))) {
        const unfinished = `${template}_unfinished`
        await replace(unfinished, 'template0')
        await fill(url(unfinished))
        await withClient((one) => one.query(`ALTER DATABASE "${unfinished}" RENAME TO "${template}"`))
      }
      await replace(name, template)
    },
    stop: () => server.stop(),
  }
}
