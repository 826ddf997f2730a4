import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsAnswers } from './answers.ts'
import type { Log } from './build-cache.ts'
import { type Credentials, makePrivateFolder } from './credentials.ts'
import { findProgram } from './find-program.ts'
import { builtProgram, NATS_SERVER, unavailableProgramReason } from './go-programs.ts'
import { natsConfig } from './nats-config.ts'
import type { ProcessPlan } from './supervised-process.ts'

/** A nats-server on loopback with JetStream in `stateDir`. */
export function natsPlan(
  place: { program: string; stateDir: string; port: number; client?: Credentials; extra?: string },
  logFile: string,
): ProcessPlan {
  makePrivateFolder(place.stateDir)
  const config = join(place.stateDir, 'nats.conf')
  const { stateDir: storeDir, port, client, extra } = place
  writeFileSync(config, natsConfig({ listen: `127.0.0.1:${port}`, storeDir, client, extra }), { mode: 0o600 })
  // a folder of a version without passwords has a file that everybody may read
  chmodSync(config, 0o600)
  return {
    name: 'nats',
    command: place.program,
    args: ['-c', config],
    port: place.port,
    logFile,
    isReady: () => natsAnswers(place.port),
  }
}

/** The nats-server on PATH, else a build in the cache, else undefined. */
export async function findNatsServer(log: Log): Promise<string | undefined> {
  const onPath = findProgram('nats-server')
  if (onPath !== undefined) return onPath
  return unavailableProgramReason(NATS_SERVER) === undefined ? builtProgram(NATS_SERVER, log) : undefined
}
