import { startTelemetry, stopTelemetry } from './telemetry.js'

/** Longest time a process may take to stop (architecture.md#bus). */
const STOP_DEADLINE_MS = 25_000

/**
 * Runs a process: starts it, and stops it on SIGTERM or SIGINT. A start that fails prints its message and exits with 1.
 * @param start imported late, so that tracing can instrument the modules it loads
 */
export async function runMain(name: string, start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  try {
    await startTelemetry(name)
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
    process.stderr.write(`${name} could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
