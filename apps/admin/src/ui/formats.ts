/** Numbers, sizes and times as a person reads them, in a language and a time zone. */
import type { Texts } from '../texts/en.js'
import type { Language } from '../texts/features.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type Formats = ReturnType<typeof createFormats>

/** @param timeZone of the person; the browser's where undefined */
export function createFormats(language: Language, t: Texts['kit'], timeZone?: string) {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const some = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const money = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const all = new Intl.NumberFormat(language, { maximumFractionDigits: 20 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const signed = new Intl.NumberFormat(language, {
    signDisplay: 'exceptZero',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const mark = all.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' })
  const zone = timeZone === undefined ? {} : { timeZone }
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', ...zone })
  const short = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', ...zone })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', ...zone })
  const dayAndMonth = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', ...zone })

  return {
    number: (value: number) => whole.format(value),
    decimal: (value: number) => some.format(value),
    /** The text of a number in a draft, like `12.5`, as people write it; any other text as it is. */
    shown: (draft: string) => draft.replace(/^(-?\d+)\.(?=\d*$)/, `$1${mark}`),
    /** The same back, so that a number that is typed as it was stored is no change. */
    typed: (text: string) => (mark === ',' ? text.replace(/^(-?\d+),(?=\d*$)/, '$1.') : text),
    /** All its digits. */
    exact: (value: number) => all.format(value),
    /** A price: two decimals, no currency. */
    amount: (value: number) => money.format(value),
    /** Of two prices in percent, with its sign. */
    difference: (percent: number) => signed.format(percent).replace('-', '−'),
    /** @param share from 0 to 1 */
    percent: (share: number) => percent.format(share),
    size: (bytes: number) =>
      bytes >= 1e6
        ? t.megabytes(some.format(bytes / 1e6))
        : bytes >= 1e3
          ? t.kilobytes(whole.format(bytes / 1e3))
          : t.bytes(whole.format(bytes)),
    duration: (ms: number) =>
      ms < 1_000
        ? t.milliseconds(whole.format(ms))
        : ms < 2 * MINUTE_MS
          ? t.seconds(some.format(ms / 1_000))
          : ms < 2 * HOUR_MS
            ? t.minutes(whole.format(ms / MINUTE_MS))
            : t.hours(some.format(ms / HOUR_MS)),
    /** With seconds and zone. */
    exactTime: (at: Date) => exact.format(at),
    dateTime: (at: Date) => short.format(at),
    day: (at: Date) => day.format(at),
    /** Of a day like 2026-11-22. */
    shortDay: (text: string) => dayAndMonth.format(Date.parse(`${text}T00:00:00Z`)),
    clock: (at: Date) => clock.format(at),
    /** Relative below 24 h, else date and time. */
    time: (at: Date, now: Date) => {
      const past = now.getTime() - at.getTime()
      const size = Math.abs(past)
      if (size >= DAY_MS) return short.format(at)
      if (size < 5_000) return t.justNow
      if (size < MINUTE_MS) return relative.format(-Math.round(past / 1_000), 'second')
      if (size < HOUR_MS) return relative.format(-Math.round(past / MINUTE_MS), 'minute')
      return relative.format(-Math.round(past / HOUR_MS), 'hour')
    },
  }
}

/**
 * A number as people write it: `1 234,5`, `1234.5`, `1,234.50`. A lone comma is a decimal comma. NaN for anything else,
 * undefined for a blank text.
 */
export function parseNumber(text: string): number | undefined {
  const bare = text.replace(/[\s\u00a0\u202f']/g, '')
  if (bare === '') return undefined
  const decimal = bare.includes('.') ? bare.replaceAll(',', '') : bare.replace(',', '.')
  return /^-?\d+(\.\d*)?$/.test(decimal) ? Number(decimal) : Number.NaN
}
