import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ApiAudience,
  readSettings,
  removeGateway,
  SETTINGS_EXPIRE_MS,
  type StoredSettings,
  type TokenHash,
} from '@partsbus/contracts/administration/settings-commands'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { type CallSettings, pickCallSettings, type Settings } from '@partsbus/contracts/administration/settings'
import type { ReplyOf, RequestOf } from '@partsbus/contracts/message'
import type { BusClient } from '@partsbus/platform/bus/client'
import { type AddressList, parseAddressList } from '@partsbus/platform/net/address-list'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { QuietReport } from '@partsbus/platform/process/quiet-report'

/** One revision of the settings, prepared for the checks of every request. It is never modified. */
export interface SettingsSnapshot {
  rev: number
  values: Settings
  tokens: Record<ApiAudience, TokenHash | null>
  tokenDigests: Record<ApiAudience, Buffer | undefined>
  /** the part that travels with calls to the services */
  call: CallSettings
  allowedAddresses: AddressList
}

export interface SettingsSources {
  /** of this process */
  gateway: string
  calls: Pick<BusClient, 'request'>
  /** resolves when the requests that arrived before have ended */
  drain: () => Promise<unknown>
  log: Log
}

const READ_EVERY_MS = 500
/** How long the administration service may take for a read, in ms. */
const READ_TIMEOUT_MS = 1_000
/** Settings that were read longer ago than this are read again before a request is served by them, in ms. */
const FRESH_MS = 1_000
/** How long a request waits for that, in ms: a slow service must not make every request slow. */
const FRESH_WAIT_MS = 300

/*
 * States: empty → valid ⇄ expired. Valid: the last successful read started at most 15 s ago. The next successful read
 * leads back from expired. Reads are numbered when they start, so that one that was in progress when a change was
 * acknowledged never restores the older revision.
 *
 * The administration service answers a change when every registered gateway has acknowledged it, or 15 s after the
 * write, when the copies have expired (rules.md#settings-change). It registers a gateway before each read.
 */
export class SettingsCache {
  /** requests that write; none begins in maintenance */
  readonly writes = new PausableWork()
  /** resolves when settings were read for the first time */
  readonly reached: Promise<void>
  private setReached: () => void = () => undefined
  private snapshot: SettingsSnapshot | undefined
  private readAt = -Infinity
  private step = 0
  private appliedStep = 0
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private failing = false
  private reading: Promise<unknown> = Promise.resolve()
  private rereading: Promise<void> | undefined
  private databaseTime = new Date(0)
  private readonly report: QuietReport
  private readonly sources: SettingsSources

  constructor(sources: SettingsSources) {
    this.sources = sources
    this.report = new QuietReport(async () => this.databaseTime, this.writes, sources.drain)
    this.reached = new Promise((resolve) => {
      this.setReached = resolve
    })
  }

  /** Reads now and every half second. The start does not fail while settings cannot be read. */
  start(): Promise<void> {
    return this.tick()
  }

  /** Ends when this gateway is not registered any more: it serves by no settings. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    // a read that is on its way would register it again
    await this.reading.catch(() => undefined)
    const { calls, gateway, log } = this.sources
    await calls
      .request(removeGateway, { gateway }, { timeoutMs: READ_TIMEOUT_MS })
      .catch((error: unknown) => log.warn({ err: error }, 'gateway entry not removed'))
  }

  /** The settings to serve requests by. @throws AppError UNAVAILABLE when they have expired */
  current(): SettingsSnapshot {
    if (this.snapshot && performance.now() - this.readAt < SETTINGS_EXPIRE_MS) return this.snapshot
    throw new AppError('UNAVAILABLE', texts.unavailable)
  }

  /** Whether the last read succeeded. */
  canRead(): boolean {
    return !this.failing && this.snapshot !== undefined
  }

  /** As {@link current}, after another read when the last one is older than a second and did not fail. */
  fresh(): SettingsSnapshot | Promise<SettingsSnapshot> {
    if (performance.now() - this.readAt < FRESH_MS || this.failing) return this.current()
    this.rereading ??= this.read()
      .catch(() => undefined)
      .finally(() => {
        this.rereading = undefined
      })
    return Promise.race([this.rereading, sleep(FRESH_WAIT_MS)]).then(() => this.current())
  }

  /** Reads the settings now. @throws AppError */
  async read(): Promise<void> {
    if (this.stopped) throw new AppError('UNAVAILABLE', texts.unavailable)
    const step = (this.step += 1)
    const startedAt = performance.now()
    const { calls, gateway } = this.sources
    const request = { gateway, report: this.readReport() }
    const reading = calls.request(readSettings, request, { timeoutMs: READ_TIMEOUT_MS })
    this.reading = reading
    const stored = await reading
    if (step < this.appliedStep) return
    this.appliedStep = step
    this.readAt = startedAt
    this.apply(stored)
  }

  private readReport(): RequestOf<typeof readSettings>['report'] {
    const { quiet_at, ...report } = this.report.read()
    return { quiet_at: quiet_at && quiet_at.toISOString(), ...report }
  }

  private apply({ at, ...stored }: ReplyOf<typeof readSettings>): void {
    this.databaseTime = new Date(at)
    if (this.snapshot?.rev !== stored.rev) this.snapshot = prepare(stored)
    if (stored.values.maintenance === null) this.writes.resume()
    else this.writes.pause()
    this.setReached()
  }

  private async tick(): Promise<void> {
    const startedAt = performance.now()
    try {
      await this.read()
      if (this.failing) this.sources.log.info('settings can be read again')
      this.failing = false
    } catch (error) {
      if (this.stopped) return
      if (!this.failing) this.sources.log.warn({ err: error }, 'settings cannot be read')
      this.failing = true
    }
    if (this.stopped) return
    this.timer = setTimeout(() => void this.tick(), Math.max(0, READ_EVERY_MS - (performance.now() - startedAt)))
  }
}

function prepare(stored: StoredSettings): SettingsSnapshot {
  const tokenDigest = (audience: ApiAudience): Buffer | undefined => {
    const hash = stored.tokens[audience]
    return hash ? Buffer.from(hash.sha256, 'hex') : undefined
  }
  return {
    ...stored,
    tokenDigests: { erp: tokenDigest('erp'), b2b: tokenDigest('b2b') },
    call: pickCallSettings(stored.values),
    allowedAddresses: parseAddressList(stored.values.erp_allowed_ips),
  }
}
