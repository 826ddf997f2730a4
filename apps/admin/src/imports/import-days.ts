import type { AnswerOf } from '@partsbus/contracts/http/admin'

type Hour = AnswerOf<'GET /statistics/imports'>[number]

/** Imports that ended on one day. */
export interface ImportDay {
  /** like 2026-11-22, in the person's zone */
  day: string
  completed: number
  failed: number
  rows: number
}

const DAY_MS = 86_400_000

/** The last days up to today, the oldest first. @param timeZone of the person; the browser's where undefined */
export function lastDays(count: number, now: Date, timeZone: string | undefined): string[] {
  const today = Date.parse(`${dayOf(now, timeZone)}T00:00:00Z`)
  return Array.from({ length: count }, (_, at) => dayOf(new Date(today - (count - 1 - at) * DAY_MS), 'UTC'))
}

/** Sums the hours of each day; the statistics themselves only know days of UTC. */
export function sumByDay(days: readonly string[], hours: readonly Hour[], timeZone: string | undefined): ImportDay[] {
  const sums = new Map(days.map((day): [string, ImportDay] => [day, { day, completed: 0, failed: 0, rows: 0 }]))
  for (const { at, completed, failed, rows } of hours) {
    const sum = sums.get(dayOf(new Date(at), timeZone))
    if (!sum) continue
    sum.completed += completed
    sum.failed += failed
    sum.rows += rows
  }
  return [...sums.values()]
}

function dayOf(at: Date, timeZone: string | undefined): string {
  const options = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  } as const
  // the form of this locale is that of ISO 8601
  return new Intl.DateTimeFormat('sv-SE', options).format(at)
}
