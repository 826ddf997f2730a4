import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, readOrCreateCredentials } from './credentials.ts'
import { builtFerretdb, startDatabase } from './start-database.ts'

/** Starts the database of a state folder without the bus and the services. */
export async function startDatabaseAlone(stateDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  // no other kind of server can read the data of a PostgreSQL
  const isPostgres = existsSync(join(stateDir, 'postgres'))
  const logDir = join(stateDir, 'logs')
  makePrivateFolder(stateDir)
  makePrivateFolder(logDir)
  const credentials = readOrCreateCredentials(stateDir)
  const settings = {
    stateDir,
    logDir,
    credentials,
    log: () => undefined,
    events: {},
    isDurable: true,
    packages: Promise.resolve(),
  }
  const { url, processes, containers } = await (isPostgres ? builtFerretdb(settings) : startDatabase(settings, ''))
  return {
    url,
    stop: async () => {
      for (const each of processes.toReversed()) await each.stop()
      await Promise.all(containers.map((container) => container.stop()))
    },
  }
}
