import type { Diagnosis } from '../diagnosis/make-checks.js'
import type { Migration } from '../mongo/migration.js'
import { startTelemetry, stopTelemetry } from './telemetry.js'

/** Longest time a process may take to stop (architecture.md#bus). */
const STOP_DEADLINE_MS = 25_000

/** What a process does. Its modules are imported late, so that tracing can instrument them. */
export interface Program {
  start(): Promise<{ stop(): Promise<void> }>
  /** the module with the migrations of its database; absent: it has none */
  loadMigrations?(): Promise<{ migrations: readonly Migration[] }>
  /** what it examines in its database; absent: it has none */
  loadDiagnosis?(): Promise<{ diagnosis: Diagnosis }>
}

/** Something is wrong, as `partsbus doctor` says it. */
const FOUND = 2

/**
 * Runs a process: starts it, and stops it on SIGTERM or SIGINT. A start that fails prints its message and exits with 1,
 * or with 4 if the database is of a newer release. With the argument `--migrate` it migrates its database and exits.
 * With `--diagnose` it prints what is wrong with its database, as JSON, and exits with 2 if something is. `--fix`
 * repairs what can be repaired without a loss.
 */
export async function runMain(name: string, { start, loadMigrations, loadDiagnosis }: Program): Promise<void> {
  const options = process.argv.slice(2).join(' ')
  const known = [
    '',
    ...(loadMigrations ? ['--migrate'] : []),
    ...(loadDiagnosis ? ['--diagnose', '--diagnose --fix'] : []),
  ]
  if (!known.includes(options)) {
    const named = known.length > 1 ? `known are ${known.slice(1).join(', ')}` : 'there are none'
    process.stderr.write(`${name}: unknown arguments ${options}; ${named}\n`)
    process.exit(1)
  }
  try {
    await startTelemetry(name)
    if (loadMigrations && options === '--migrate') {
      const { migrateService } = await import('./migrate-service.js')
      await migrateService(name, (await loadMigrations()).migrations)
      await stopTelemetry()
      process.exit(0)
    }
    if (loadMigrations && loadDiagnosis && options !== '') {
      const { diagnoseService } = await import('../diagnosis/diagnose-service.js')
      const [{ diagnosis }, { migrations }] = await Promise.all([loadDiagnosis(), loadMigrations()])
      const report = await diagnoseService(name, diagnosis, migrations, options.endsWith('--fix'))
      await stopTelemetry()
      const isFound = report.findings.some(({ isFixed }) => isFixed !== true)
      // a pipe takes a long report in several parts
      process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(isFound ? FOUND : 0))
      return
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
    const did = options === '' ? 'could not start' : `could not ${options.replace(/^--(\w+).*/, '$1')}`
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
