// @ts-check
import { setTimeout as delay } from 'node:timers/promises'
import { watchEventLoop } from './event-loop-watchdog.mjs'
import { NativeEnvironment } from './native-environment.mjs'

/**
 * How long a server that is stopping, or a killed child process, may take to go away after the last test of a file; the
 * option `leakDeadlineMs` sets another one.
 */
const DEADLINE_MS = 60_000
const INTERVAL_MS = 10
/** Resources that keep a process alive and that a test can leave open. File system requests end by themselves. */
const WATCHED = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'UDPWRAP',
  'PipeWrap',
  'ProcessWrap',
  'MessagePort',
  'Timeout',
])

/**
 * Fails a spec file that leaves a socket, a server, a child process, a thread or a timer open. Jest itself notices only
 * that some worker was slow to exit, which on a busy machine happens without a leak too. One that blocks the event loop
 * is ended.
 */
export default class LeakCheckingEnvironment extends NativeEnvironment {
  before = countResources()

  /** @param {ConstructorParameters<typeof NativeEnvironment>[0]} config @param {{testPath: string}} context */
  constructor(config, context) {
    super(config)
    const { leakDeadlineMs = DEADLINE_MS, blockedMs } = config.projectConfig.testEnvironmentOptions
    this.deadlineMs = Number(leakDeadlineMs)
    watchEventLoop(context.testPath, blockedMs === undefined ? undefined : Number(blockedMs))
  }

  /** @override */
  async teardown() {
    const left = await leftOpen(this.before, this.deadlineMs)
    await super.teardown()
    if (left.length > 0) throw new Error(`the spec file left open: ${left.join(', ')}`)
  }
}

/** @param {Map<string, number>} before @param {number} deadlineMs */
async function leftOpen(before, deadlineMs) {
  const deadline = performance.now() + deadlineMs
  // what the last test started may not be open yet
  await delay(INTERVAL_MS)
  for (;;) {
    const left = [...countResources()].filter(([name, count]) => count > (before.get(name) ?? 0))
    if (left.length === 0 || performance.now() > deadline) {
      return left.map(([name, count]) => `${count - (before.get(name) ?? 0)} ${name}`)
    }
    await delay(INTERVAL_MS)
  }
}

/** @returns {Map<string, number>} */
function countResources() {
  // They are opened when they are first used, and stay open. A package that imports `node:process` uses all of them.
  void [process.stdin, process.stdout, process.stderr]
  const counts = new Map()
  for (const name of process.getActiveResourcesInfo()) {
    if (WATCHED.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
