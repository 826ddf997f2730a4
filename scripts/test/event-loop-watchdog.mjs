// @ts-check
import { Worker } from 'node:worker_threads'

/** How long a spec may block the event loop: Jest's own time limits do not work meanwhile. */
const BLOCKED_MS = 120_000
const BEAT_MS = 500

const WATCHDOG = `
const { workerData: { beats }, parentPort } = require('node:worker_threads')
let watched = { path: '', blockedMs: Infinity }
let seen = { count: -1, at: 0 }
parentPort.on('message', (message) => { watched = message; seen = { count: -1, at: 0 } })
setInterval(() => {
  const count = Atomics.load(beats, 0)
  if (count !== seen.count) seen = { count, at: performance.now() }
  if (performance.now() - seen.at < watched.blockedMs) return
  require('node:fs').writeSync(2, watched.path + ' has blocked the event loop for ' + watched.blockedMs + ' ms.\\n')
  process.kill(process.pid, 'SIGKILL')
}, ${BEAT_MS})
`

const beats = new Int32Array(new SharedArrayBuffer(4))
const watchdog = new Worker(WATCHDOG, { eval: true, workerData: { beats }, execArgv: [] })
watchdog.unref()
setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()

/**
 * Ends this process when a spec file blocks its event loop, so that the run fails instead of never ending.
 * @param {string} path @param {number} [blockedMs]
 */
export function watchEventLoop(path, blockedMs = BLOCKED_MS) {
  watchdog.postMessage({ path, blockedMs })
}
