import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'

/*
 * Loaded into the services of a profiled product by `node --import`. SIGUSR2 starts the CPU profiler of the process,
 * and the next SIGUSR2 stops it: idle → running (`PID.running` exists) → idle (`PID.cpuprofile` is complete).
 */
const folder = process.env.BENCH_PROFILE_FOLDER
/** Samples every 500 µs cost a few percent of the time. */
const INTERVAL_US = 500

if (folder !== undefined) {
  const session = new Session()
  const running = join(folder, `${process.pid}.running`)
  let isRunning = false
  session.connect()
  process.on('SIGUSR2', () => {
    isRunning = !isRunning
    if (isRunning) {
      session.post('Profiler.enable')
      session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
      session.post('Profiler.start', () => writeFileSync(running, ''))
    } else {
      session.post('Profiler.stop', (error, stopped) => {
        if (error) throw error
        const file = join(folder, `${process.pid}.cpuprofile`)
        writeFileSync(`${file}.new`, JSON.stringify(stopped.profile))
        renameSync(`${file}.new`, file)
        rmSync(running)
      })
    }
  })
}
