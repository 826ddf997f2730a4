import { AppError, texts } from '@partsbus/contracts/errors'
import {
  type CallSettings,
  type IssuedToken,
  type Settings,
  type SettingsPatch,
} from '@partsbus/contracts/gateway/settings'
import { assertRevision } from '@partsbus/contracts/revision'
import { type ProcessStore, RENEW_MS } from '@partsbus/platform/mongo/process-store'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AddressList, parseAddressList } from '@partsbus/platform/net/address-list'
import { type ApiAudience, generateToken, type TokenHash, withOverlap } from './access-token.js'
import { assertCarriable, pickCallSettings } from './carried-settings.js'
import type { SettingsBroadcast } from './settings-broadcast.js'
import type { SettingsStore, StoredSettings } from './settings-store.js'

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

export interface SettingsChange {
  before: SettingsSnapshot
  after: SettingsSnapshot
  /** the token that the change generated; it can be shown at this moment only */
  issued?: IssuedToken
}

export interface SettingsSources {
  store: Pick<SettingsStore, 'read' | 'write'>
  broadcast: SettingsBroadcast
  registry: Pick<ProcessStore, 'id' | 'renew' | 'listOthers'>
  log: Log
  isDatabaseDown: () => boolean
}

const READ_EVERY_MS = 500
/** Settings that were read longer ago than this are read again before a request is served by them, in ms. */
const FRESH_MS = 1_000
/** How long a request waits for that, in ms: a slow database must not make every request slow. */
const FRESH_WAIT_MS = 300
/** Settings that were read longer ago than this have expired, in ms: requests are refused. */
const EXPIRE_MS = 5_000
/** Allowance for differences between the clocks of gateways, in ms. */
const EXPIRE_MARGIN_MS = 100
const WRITE_ATTEMPTS = 20

/*
 * States: empty → valid ⇄ expired. Valid: the last successful read started at most 5 s ago. The next successful read
 * leads back from expired. Reads and writes are numbered when they start or end, so that a read that was in progress
 * when a write was acknowledged never restores the older revision.
 *
 * A change is answered when no gateway serves by the settings before it: when every registered gateway has
 * acknowledged it, or 5 s after the write, when their copies have expired (rules.md#settings-change). A gateway reads
 * settings only while its registration is recent, so every gateway with valid settings is registered.
 */
export class SettingsCache {
  /** requests that write; none begins in maintenance */
  readonly writes = new PausableWork()
  private snapshot: SettingsSnapshot | undefined
  private readAt = -Infinity
  private step = 0
  private appliedStep = 0
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private failing = false
  private rereading: Promise<void> | undefined
  private renewedAt = -Infinity
  private renewal = Promise.resolve()
  private readonly sources: SettingsSources

  constructor(sources: SettingsSources) {
    this.sources = sources
  }

  /** Reads now and every half second. The start does not fail while the database is down. */
  async start(): Promise<void> {
    this.sources.broadcast.listen(this.sources.registry.id, () => this.refresh())
    await this.tick()
  }

  /** Ends when the registration is not renewed any more. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.renewal.catch(() => undefined)
  }

  /** The settings to serve requests by. @throws AppError UNAVAILABLE when they have expired */
  current(): SettingsSnapshot {
    if (this.snapshot && performance.now() - this.readAt < EXPIRE_MS) return this.snapshot
    throw new AppError('UNAVAILABLE', texts.unavailable)
  }

  /** As {@link current}, after another read when the last one is older than a second. */
  fresh(): SettingsSnapshot | Promise<SettingsSnapshot> {
    if (performance.now() - this.readAt < FRESH_MS || this.sources.isDatabaseDown()) return this.current()
    this.rereading ??= this.refresh()
      .catch(() => undefined)
      .finally(() => {
        this.rereading = undefined
      })
    return Promise.race([this.rereading, sleep(FRESH_WAIT_MS)]).then(() => this.current())
  }

  /** Reads the database now. @throws whatever the database throws */
  async read(): Promise<SettingsSnapshot> {
    await this.refresh()
    return this.current()
  }

  /**
   * Writes any subset of the settings. When B2B is enabled without a token afterwards, one is generated
   * (partners.md#auth-4). No gateway serves by the settings before when this resolves.
   * @param change what a request sends, whose size is limited; or a function of the stored values, for changes of the
   *   gateway itself, which must succeed: two lists that were allowed before fit into a message
   * @throws AppError CONTRACT_VIOLATION when what a request sends is too long (admin.md#settings-patch)
   */
  patch(
    change: SettingsPatch | ((values: Settings) => SettingsPatch),
    accepted?: readonly number[],
  ): Promise<SettingsChange> {
    return this.change(accepted, (stored) => {
      const patch = typeof change === 'function' ? change(stored.values) : change
      const values = { ...stored.values, ...patch }
      if (typeof change !== 'function') assertCarriable(stored.values, patch)
      if (!values.b2b_enabled || stored.tokens.b2b) return { ...stored, values }
      const { token, hash, shown } = generateToken(new Date())
      return { ...stored, values, tokens: { ...stored.tokens, b2b: hash }, issued: { token, ...shown } }
    })
  }

  /**
   * Generates a token. The one before it is rejected by every gateway when this resolves, or after the overlap
   * (admin.md#tokens-overlap).
   */
  async issueToken(
    audience: ApiAudience,
    {
      overlapMinutes = 0,
      accepted,
    }: { overlapMinutes?: number | undefined; accepted?: readonly number[] | undefined } = {},
  ): Promise<SettingsChange & { issued: IssuedToken }> {
    const { token, hash, shown } = generateToken(new Date())
    const change = await this.change(accepted, (stored) => ({
      ...stored,
      tokens: { ...stored.tokens, [audience]: withOverlap(hash, stored.tokens[audience], overlapMinutes) },
    }))
    const until = change.after.tokens[audience]?.previous?.valid_until
    return { ...change, issued: { token, ...shown, ...(until && { previous_valid_until: until.toISOString() }) } }
  }

  revokeToken(audience: ApiAudience, accepted?: readonly number[]): Promise<SettingsChange> {
    return this.change(accepted, (stored) => ({ ...stored, tokens: { ...stored.tokens, [audience]: null } }))
  }

  /**
   * @param accepted revisions that may be changed; absent: any
   * @throws AppError CHANGED when the stored revision is another
   */
  private async change(
    accepted: readonly number[] | undefined,
    plan: (stored: StoredSettings) => StoredSettings & { issued?: IssuedToken },
  ): Promise<SettingsChange> {
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS; attempt += 1) {
      const stored = await this.sources.store.read()
      assertRevision(accepted, { revision: stored.rev })
      const { issued, ...next } = plan(stored)
      next.rev = stored.rev + 1
      if (!(await this.sources.store.write(next))) continue
      const writtenAt = performance.now()
      const after = this.applyWritten(next)
      await this.awaitOthers(next.rev, writtenAt)
      return { before: prepare(stored), after, ...(issued && { issued }) }
    }
    throw new AppError('CONFLICT', 'The settings are being changed by others; try again.')
  }

  /** Resolves when no other gateway serves by the settings before `rev`. */
  private async awaitOthers(rev: number, writtenAt: number): Promise<void> {
    const waitMs = (): number => writtenAt + EXPIRE_MS + EXPIRE_MARGIN_MS - performance.now()
    try {
      const others = await this.sources.registry.listOthers()
      await this.sources.broadcast.publish(rev, others, waitMs())
    } catch {
      // without a list of the gateways, or without the bus, their copies expire
      await sleep(Math.max(0, waitMs()))
    }
  }

  private async refresh(): Promise<void> {
    const now = performance.now()
    if (!this.stopped && now - this.renewedAt > RENEW_MS) {
      this.renewal = this.sources.registry.renew()
      await this.renewal
      this.renewedAt = now
    }
    const step = (this.step += 1)
    const startedAt = performance.now()
    const stored = await this.sources.store.read()
    if (step < this.appliedStep) return
    this.apply(stored, step, startedAt)
  }

  private apply(stored: StoredSettings, step: number, readAt = performance.now()): SettingsSnapshot {
    this.appliedStep = step
    this.readAt = readAt
    if (this.snapshot?.rev !== stored.rev) this.snapshot = prepare(stored)
    if (stored.values.maintenance === null) this.writes.resume()
    else this.writes.pause()
    return this.snapshot
  }

  /** A change of another gateway that followed ours may have been read before our write was acknowledged. */
  private applyWritten(written: StoredSettings): SettingsSnapshot {
    if (this.snapshot && this.snapshot.rev > written.rev) return prepare(written)
    return this.apply(written, (this.step += 1))
  }

  private async tick(): Promise<void> {
    const startedAt = performance.now()
    try {
      await this.refresh()
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
    rev: stored.rev,
    values: stored.values,
    tokens: stored.tokens,
    tokenDigests: { erp: tokenDigest('erp'), b2b: tokenDigest('b2b') },
    call: pickCallSettings(stored.values),
    allowedAddresses: parseAddressList(stored.values.erp_allowed_ips),
  }
}
