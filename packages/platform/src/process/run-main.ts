import type { Migration } from '../mongo/migration.js'
import { startTelemetry, stopTelemetry } from './telemetry.js'

/** Longest time a process may take to stop (architecture.md#bus). */
const STOP_DEADLINE_MS = 25_000

/** What a process does. Its modules are imported late, so that tracing can instrument them. */
export interface Program {
  start(): Promise<{ stop(): Promise<void> }>
  /** the module with the migrations of its database; absent: it has none */
  loadMigrations?(): Promise<{ migrations: readonly Migration[] }>
}

/**
 * Runs a process: starts it, and stops it on SIGTERM or SIGINT. A start that fails prints its message and exits with 1,
 * or with 4 if the database is of a newer release. With the argument `--migrate` it migrates its database and exits.
 */
export async function runMain(name: string, { start, loadMigrations }: Program): Promise<void> {
  const options = process.argv.slice(2)
  if (options.some((option) => option !== '--migrate' || !loadMigrations)) {
    const known = loadMigrations ? 'the only one is --migrate' : 'there are none'
    process.stderr.write(`${name}: unknown arguments ${options.join(' ')}; ${known}\n`)
    process.exit(1)
  }
  try {
    await startTelemetry(name)
    if (loadMigrations && options.length > 0) {
      const { migrateService } = await import('./migrate-service.js')
      await migrateService(name, (await loadMigrations()).migrations)
      await stopTelemetry()
      process.exit(0)
    }
    const running = await start()
    let stopping = false
    const stop = (): void => {
      if (stopping) return
      stopping = true
      setTimeout(() => {
        process.stderr.write(`${name} did not stop within ${STOP_DEADLINE_MS} ms\n`)
        process.exit(1)
      }, STOP_DEADLINE_MS).unref()
      running
        .stop()
        .then(() => stopTelemetry())
        .then(
          () => process.exit(0),
          (error: unknown) => {
            process.stderr.write(`${name} did not stop cleanly: ${errorText(error)}\n`)
            process.exit(1)
          },
        )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  } catch (error) {
    const did = options.length > 0 ? 'could not migrate' : 'could not start'
    process.stderr.write(`${name} ${did}: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(exitCode(error))
  }
}

function exitCode(error: unknown): number {
  return error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : 1
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
