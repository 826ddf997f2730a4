import { mongoAnswers } from './answers.ts'
import { type Credentials, makePrivateFolder, urlWithCredentials } from './credentials.ts'
import type { ProcessPlan } from './supervised-process.ts'

/**
 * FerretDB speaks MongoDB's protocol in front of PostgreSQL with the DocumentDB extension. Its clients authenticate by
 * SCRAM as roles of PostgreSQL.
 */
export function ferretdbPlan(
  place: { program: string; stateDir: string; port: number; postgres: { port: number; superuser: Credentials } },
  logFile: string,
): ProcessPlan {
  makePrivateFolder(place.stateDir)
  const { port, superuser } = place.postgres
  const postgresUrl = `${urlWithCredentials('postgres', superuser, '127.0.0.1', port)}postgres`
  return {
    name: 'ferretdb',
    command: place.program,
    args: [
      `--listen-addr=127.0.0.1:${place.port}`,
      `--state-dir=${place.stateDir}`,
      '--telemetry=disable',
      '--debug-addr=-',
      '--log-level=warn',
    ],
    // not in the arguments, which every user of the machine can read
    env: { ...process.env, FERRETDB_POSTGRESQL_URL: postgresUrl },
    port: place.port,
    logFile,
    isReady: () => mongoAnswers(place.port),
    stopWithinMs: 2_000,
  }
}
