const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Reads an ISO 8601 date or date-time that exists. A date is midnight UTC; a time without an offset is UTC.
 * @returns undefined for anything else, `2026-02-30` and `31.02.2026` included, and outside the years 0000 to 9999 UTC
 * (rules.md#values-dates)
 */
export function parseInstant(text: string): Date | undefined {
  const found = form.exec(text)
  if (!found) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = found
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000)
  const at = new Date(0)
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (at.getUTCMonth() !== Number(month) - 1 || at.getUTCDate() !== Number(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  at.setUTCHours(Number(hour), Number(minute), Number(second), ms)
  at.setTime(at.getTime() - offset * 60_000)
  // ISO 8601 and this function read years of four digits only
  return at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9_999 ? at : undefined
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2) || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
