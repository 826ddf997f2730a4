import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { killedWithParent, watchChild } from './parent-death.ts'
import { StackUnavailable } from './stack-unavailable.ts'
import { waitUntil } from './wait-until.ts'

/*
 * States: new → starting → up → (dead → starting → up)* → stopping → stopped.
 * A process that dies is restarted after 0.2 s. The pause is doubled with each death up to 5 s, and reset once the
 * process was up for 10 s. When it dies five times before it was ever up, `start` fails with the end of its log.
 */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
const UP_WELL_MS = 10_000
const DEATHS_BEFORE_GIVING_UP = 5
const LARGE_LOG_BYTES = 20 * 1024 * 1024

export interface ProcessPlan {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Receives the output. A file of more than 20 MiB is renamed to `….1` at a start. */
  logFile: string
  port?: number
  /** Additional fields for the list of processes. */
  details?: Record<string, unknown>
  /** Runs before each start, the first one included. */
  prepare?: () => Promise<void>
  isReady: () => Promise<boolean>
  /** Still starting, and not stuck: `start` waits for it longer than `readyWithinMs`. */
  isStillStarting?: () => Promise<boolean>
  readyWithinMs?: number
  stopSignal?: NodeJS.Signals
  stopWithinMs?: number
  /** Signal that the kernel sends when the parent dies: on QUIT, PostgreSQL ends its children, too. */
  deathSignal?: 'KILL' | 'QUIT'
}

export interface ProcessEvents {
  /** A process started or died. */
  changed?: () => void
  died?: (name: string, how: string, pauseMs: number) => void
}

export class SupervisedProcess {
  private child: ChildProcess | undefined
  private wasUp = false
  private up = false
  private stopping = false
  private deaths = 0
  private upSince = Number.POSITIVE_INFINITY
  /** Offset of the output of the latest run in the log. */
  private logStart = 0
  private readonly stopped = new AbortController()
  private running: Promise<void> = Promise.resolve()

  readonly plan: ProcessPlan
  private readonly events: ProcessEvents

  constructor(plan: ProcessPlan, events: ProcessEvents = {}) {
    this.plan = plan
    this.events = events
  }

  get name(): string {
    return this.plan.name
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  get isUp(): boolean {
    return this.up
  }

  /** Starts the process and waits until it is ready. @throws StackUnavailable with the end of its log */
  async start(): Promise<void> {
    let gaveUp: Error | undefined
    this.running = this.superviseForEver().catch((error: Error) => {
      gaveUp = error
    })
    const withinMs = this.plan.readyWithinMs ?? 60_000
    const isOver = (): boolean => this.up || gaveUp !== undefined || this.stopping
    const wait = (): Promise<boolean> => waitUntil(isOver, { withinMs, everyMs: 20 })
    let isUp = await wait()
    while (!isUp && (await this.plan.isStillStarting?.().catch(() => false))) isUp = await wait()
    if (gaveUp !== undefined) throw new StackUnavailable(gaveUp.message)
    if (this.stopping) throw new StackUnavailable(`${this.name} was stopped before it was up.`)
    if (!isUp) {
      await this.stop()
      throw new StackUnavailable(`${this.name} was not ready after ${withinMs / 1_000} s.${this.endOfLog()}`)
    }
  }

  /** Resolves when the process is ready; false when that takes longer than `withinMs`. */
  async whenUp(withinMs: number): Promise<boolean> {
    return waitUntil(() => this.up, { withinMs })
  }

  /** Kills the process like a crash, so it is restarted. Resolves when it is dead. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const dead = new Promise((resolve) => child.once('exit', resolve))
    this.up = false
    child.kill(signal)
    await dead
  }

  /** Kills the process without a restart. */
  async killForGood(): Promise<void> {
    await this.stop(0, 'SIGKILL')
  }

  /** Stops the process, and kills it when that takes longer than its plan allows, or than `withinMs`. */
  async stop(withinMs = this.plan.stopWithinMs ?? 5_000, signal = this.plan.stopSignal ?? 'SIGTERM'): Promise<void> {
    this.stopping = true
    this.up = false
    this.stopped.abort()
    this.child?.kill(signal)
    const patience = setTimeout(() => this.child?.kill('SIGKILL'), withinMs)
    await this.running
    clearTimeout(patience)
  }

  /** The last lines of its latest run, for a message. */
  private endOfLog(lines = 12): string {
    const text = readFileSync(this.plan.logFile, { flag: 'a+' }).subarray(this.logStart).toString('utf8').trimEnd()
    if (text === '') return ` See ${this.plan.logFile}.`
    return `\nThe end of ${this.plan.logFile}:\n${text
      .split('\n')
      .slice(-lines)
      .map((line) => `  ${line}`)
      .join('\n')}`
  }

  private async superviseForEver(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!this.stopping) {
      this.upSince = Number.POSITIVE_INFINITY
      const how = await this.runOnce()
      if (this.stopping) return
      this.deaths += 1
      if (!this.wasUp && this.deaths >= DEATHS_BEFORE_GIVING_UP) {
        throw new Error(`${this.name} does not start: ${how}, ${this.deaths} times in a row.${this.endOfLog()}`)
      }
      if (Date.now() - this.upSince > UP_WELL_MS) pauseMs = FIRST_PAUSE_MS
      this.events.died?.(this.name, how, pauseMs)
      await delay(pauseMs, undefined, { signal: this.stopped.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  private async runOnce(): Promise<string> {
    let log: number
    try {
      await this.plan.prepare?.()
      this.putAsideLargeLog()
      log = openSync(this.plan.logFile, 'a')
    } catch (error) {
      // on a full disk, too: the next attempt may succeed
      return error instanceof Error ? error.message : String(error)
    }
    if (this.stopping) {
      closeSync(log)
      return 'stopped'
    }
    const line = killedWithParent(this.plan, this.plan.deathSignal)
    this.logStart = fstatSync(log).size
    // own process group: a Ctrl-C at the terminal reaches only the parent, which stops its children in order
    const child = spawn(line.command, line.args, {
      detached: true,
      cwd: this.plan.cwd,
      env: this.plan.env ?? process.env,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    watchChild(child)
    const over = new AbortController()
    const exit = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) =>
        resolve(signal === null ? `it ended with code ${code}` : `it was killed by ${signal}`),
      )
    })
    this.child = child
    this.events.changed?.()
    void this.markUpWhenReady(over.signal)
    const how = await exit
    over.abort()
    this.up = false
    this.child = undefined
    this.events.changed?.()
    return how
  }

  private putAsideLargeLog(): void {
    const size = statSync(this.plan.logFile, { throwIfNoEntry: false })?.size ?? 0
    if (size > LARGE_LOG_BYTES) renameSync(this.plan.logFile, `${this.plan.logFile}.1`)
  }

  private async markUpWhenReady(signal: AbortSignal): Promise<void> {
    const ready = await waitUntil(() => this.plan.isReady().catch(() => false), {
      withinMs: Number.MAX_SAFE_INTEGER,
      everyMs: 50,
      signal,
    })
    if (!ready || signal.aborted || this.stopping) return
    this.up = true
    this.upSince = Date.now()
    this.wasUp = true
  }
}
