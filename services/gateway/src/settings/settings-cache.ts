import { AppError, texts } from '@partsbus/contracts/errors'
import {
  callSettings,
  type CallSettings,
  type IssuedToken,
  type Settings,
  type SettingsPatch,
} from '@partsbus/contracts/settings'
import type { Log } from '@partsbus/platform/process/log'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AddressList, parseAddressList } from '../http/address/address-list.js'
import { type ApiAudience, generateToken, type TokenHash } from './access-token.js'
import type { SettingsBroadcast } from './settings-broadcast.js'
import type { SettingsStore, StoredSettings } from './settings-store.js'

/** One revision of the settings, made ready for the checks of every request. */
export interface SettingsSnapshot {
  rev: number
  values: Settings
  tokens: Record<ApiAudience, TokenHash | null>
  tokenDigests: Record<ApiAudience, Buffer | undefined>
  /** what travels with calls to the services */
  call: CallSettings
  allowedAddresses: AddressList
}

/** What a change left behind, and the token it made, which can be shown at this moment only. */
export interface SettingsChange {
  before: SettingsSnapshot
  held: SettingsSnapshot
  issued?: IssuedToken
}

const READ_EVERY_MS = 500
/** Older than this, a request waits for a new reading: a process that was frozen must not honour a dead token. */
const FRESH_MS = 1_000
/** How long it waits. A database that is slow to answer must not make every request slow. */
const FRESH_WAIT_MS = 300
/** Older than this, requests are refused. */
const USABLE_MS = 5_000
const WRITE_ATTEMPTS = 20

/*
 * empty → held ⇄ refused. Held: a reading is at most 5 s old. Refused: there is none, or it is older; the next
 * successful reading leads back. Readings and writes are numbered when they start or end, so that a reading that
 * was on its way when a write was acknowledged can never put the older revision back.
 */
export class SettingsCache {
  private held: SettingsSnapshot | undefined
  private readAt = -Infinity
  private step = 0
  private appliedStep = 0
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private failing = false
  private reading: Promise<void> | undefined
  private readonly parts: {
    store: Pick<SettingsStore, 'read' | 'write'>
    news: SettingsBroadcast
    log: Log
    isDatabaseDown: () => boolean
  }

  constructor(parts: {
    store: Pick<SettingsStore, 'read' | 'write'>
    news: SettingsBroadcast
    log: Log
    isDatabaseDown: () => boolean
  }) {
    this.parts = parts
  }

  /** Reads at once and every half second. A database that is away does not stop the start. */
  async start(): Promise<void> {
    this.parts.news.listen(() => this.refresh())
    await this.tick()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  /** The settings to decide by. @throws AppError UNAVAILABLE when they could not be read for 5 s */
  current(): SettingsSnapshot {
    if (this.held && performance.now() - this.readAt < USABLE_MS) return this.held
    throw new AppError('UNAVAILABLE', texts.unavailable)
  }

  /** As {@link current}, after a new reading when the last one is older than a second. */
  fresh(): SettingsSnapshot | Promise<SettingsSnapshot> {
    if (performance.now() - this.readAt < FRESH_MS || this.parts.isDatabaseDown()) return this.current()
    this.reading ??= this.refresh()
      .catch(() => undefined)
      .finally(() => {
        this.reading = undefined
      })
    return Promise.race([this.reading, sleep(FRESH_WAIT_MS)]).then(() => this.current())
  }

  /** What stands in the database now. @throws what the database throws */
  async read(): Promise<SettingsSnapshot> {
    await this.refresh()
    return this.current()
  }

  /**
   * Writes any subset of the settings. Where B2B is on after it without a token, one is made
   * (partners.md#auth-4). Applied here and told to the other gateways when this resolves.
   */
  patch(change: SettingsPatch): Promise<SettingsChange> {
    return this.change((stored) => {
      const values = { ...stored.values, ...change }
      if (!values.b2b_enabled || stored.tokens.b2b) return { ...stored, values }
      const { token, hash, shown } = generateToken(new Date())
      return { ...stored, values, tokens: { ...stored.tokens, b2b: hash }, issued: { token, ...shown } }
    })
  }

  /** Makes a token; the one before it is dead when this resolves. */
  async issueToken(door: ApiAudience): Promise<SettingsChange & { issued: IssuedToken }> {
    const { token, hash, shown } = generateToken(new Date())
    const change = await this.change((stored) => ({ ...stored, tokens: { ...stored.tokens, [door]: hash } }))
    return { ...change, issued: { token, ...shown } }
  }

  revokeToken(door: ApiAudience): Promise<SettingsChange> {
    return this.change((stored) => ({ ...stored, tokens: { ...stored.tokens, [door]: null } }))
  }

  private async change(
    plan: (stored: StoredSettings) => StoredSettings & { issued?: IssuedToken },
  ): Promise<SettingsChange> {
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS; attempt += 1) {
      const stored = await this.parts.store.read()
      const { issued, ...next } = plan(stored)
      next.rev = stored.rev + 1
      if (!(await this.parts.store.write(next))) continue
      const held = this.apply(next, (this.step += 1))
      await this.parts.news.tell(next.rev)
      return { before: prepare(stored), held, ...(issued && { issued }) }
    }
    throw new AppError('CONFLICT', 'The settings are being changed by others; try again.')
  }

  private async refresh(): Promise<void> {
    const step = (this.step += 1)
    const startedAt = performance.now()
    const stored = await this.parts.store.read()
    if (step < this.appliedStep) return
    this.apply(stored, step, startedAt)
  }

  private apply(stored: StoredSettings, step: number, readAt = performance.now()): SettingsSnapshot {
    this.appliedStep = step
    this.readAt = readAt
    if (this.held?.rev !== stored.rev) this.held = prepare(stored)
    return this.held
  }

  private async tick(): Promise<void> {
    const startedAt = performance.now()
    try {
      await this.refresh()
      if (this.failing) this.parts.log.info('settings read again')
      this.failing = false
    } catch (error) {
      if (this.stopped) return
      if (!this.failing) this.parts.log.warn({ err: error }, 'settings cannot be read')
      this.failing = true
    }
    if (this.stopped) return
    this.timer = setTimeout(() => void this.tick(), Math.max(0, READ_EVERY_MS - (performance.now() - startedAt)))
  }
}

function prepare(stored: StoredSettings): SettingsSnapshot {
  const kept = (door: ApiAudience): Buffer | undefined => {
    const hash = stored.tokens[door]
    return hash ? Buffer.from(hash.sha256, 'hex') : undefined
  }
  return {
    rev: stored.rev,
    values: stored.values,
    tokens: stored.tokens,
    tokenDigests: { erp: kept('erp'), b2b: kept('b2b') },
    call: callSettings.parse(
      Object.fromEntries(Object.keys(callSettings.shape).map((name) => [name, stored.values[name as keyof Settings]])),
    ),
    allowedAddresses: parseAddressList(stored.values.erp_allowed_ips),
  }
}
