import { mkdirSync } from 'node:fs'
import { mongoAnswers } from './answers.js'
import type { ProcessPlan } from './supervised-process.js'

/** FerretDB speaks MongoDB's protocol in front of PostgreSQL with the DocumentDB extension. */
export function ferretdbPlan(
  place: { program: string; stateDir: string; port: number; postgresPort: number },
  logFile: string,
): ProcessPlan {
  mkdirSync(place.stateDir, { recursive: true })
  return {
    name: 'ferretdb',
    command: place.program,
    args: [
      `--postgresql-url=postgres://postgres@127.0.0.1:${place.postgresPort}/postgres`,
      `--listen-addr=127.0.0.1:${place.port}`,
      `--state-dir=${place.stateDir}`,
      '--no-auth',
      '--telemetry=disable',
      '--debug-addr=-',
      '--log-level=warn',
    ],
    port: place.port,
    logFile,
    isReady: () => mongoAnswers(place.port),
    stopWithinMs: 2_000,
  }
}
