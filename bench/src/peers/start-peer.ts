import { join } from 'node:path'
import { cacheFolder, type Log } from '@partsbus/local-stack/build-cache'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { runStep } from '@partsbus/local-stack/run-step'
import { SupervisedProcess } from '@partsbus/local-stack/supervised-process'
import type { InstalledPeer } from './install-peer.js'
import { startPeerDatabase } from './peer-database.js'
import type { RunningPeer } from './peer.js'

export interface PeerProgram {
  name: string
  /** Creates the tables in an empty database; each a command line of Node. */
  migrate: string[][]
  /** The command line of the server. */
  server: string[]
  healthPath: string
  env(databaseUrl: URL, port: number): NodeJS.ProcessEnv
}

/** A server with a fresh copy of its migrated database. */
export async function startPeer(
  installed: InstalledPeer,
  { name, migrate, server, healthPath, env }: PeerProgram,
  log: Log,
): Promise<Omit<RunningPeer, 'work'> & { url: string }> {
  const { folder, node } = installed
  const database = await startPeerDatabase(folder, log)
  try {
    const port = await findFreePort()
    const environment = (url: string) => ({ ...installed.env, ...env(new URL(url), port) })
    const fill = async (url: string): Promise<void> => {
      for (const args of migrate) await runStep(node, args, { cwd: folder, env: environment(url) })
    }
    await database.copyTemplate(`${name}_${installed.hash}`, name, fill)
    const url = `http://127.0.0.1:${port}`
    const program = new SupervisedProcess({
      name,
      command: node,
      args: server,
      cwd: folder,
      env: environment(database.url(name)),
      logFile: join(cacheFolder(), 'peers', 'logs', `${name}.log`),
      isReady: async () => (await fetch(`${url}${healthPath}`)).ok,
      readyWithinMs: 120_000,
    })
    await program.start()
    return {
      url,
      processes: () => [
        { part: 'program', pid: program.pid ?? 0 },
        { part: 'database', pid: database.pid() },
      ],
      stop: async () => {
        await program.stop()
        await database.stop()
      },
    }
  } catch (error) {
    await database.stop()
    throw error
  }
}
