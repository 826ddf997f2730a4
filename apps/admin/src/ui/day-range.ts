/**
 * Days like 2026-11-22 in a zone as instants.
 * @returns `from`: the first moment of the first day; `to`: the first moment after the last day
 */
export function dayRange(from: string | undefined, to: string | undefined, timeZone: string | undefined) {
  return {
    from: from === undefined ? undefined : startOfDay(from, 0, timeZone),
    to: to === undefined ? undefined : startOfDay(to, 1, timeZone),
  }
}

function startOfDay(day: string, daysLater: number, timeZone: string | undefined): string | undefined {
  const utc = Date.parse(`${day}T00:00:00Z`) + daysLater * 86_400_000
  if (Number.isNaN(utc)) return undefined
  // the offset may differ between the guess and the moment itself, on a day when the clocks change
  const guess = utc - offset(utc, timeZone)
  return new Date(utc - offset(guess, timeZone)).toISOString()
}

/** How far the clocks of a zone are ahead of UTC at a moment, ms. */
function offset(at: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...(timeZone !== undefined && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  )
  return local - Math.floor(at / 1_000) * 1_000
}
