import { z } from 'zod'
import type { AppError } from '../app-error.js'
import { dateText } from '../field.js'
import { parseInstant } from '../instant.js'
import { contractViolation } from '../violation.js'

/** Points that an answer of `/statistics/*` may have (admin.md#statistics). */
export const MAX_POINTS = 1_000

const step = z.enum(['hour', 'day'])

/** `?from=&to=&step=` of `/statistics/*`. */
export const statisticsRange = z.object({
  from: dateText().optional().describe('ISO 8601; absent: 24 h before `to`, or 14 days with `step=day`'),
  to: dateText().optional().describe('ISO 8601; absent: now'),
  step: step.optional().describe('`hour` unless given; days are those of UTC'),
})

/** The same as the gateway sends it to a service: from the begin of an hour or day to before `to`. */
export const statisticsPeriod = z.object({ from: z.iso.datetime(), to: z.iso.datetime(), step })

export type StatisticsRange = z.infer<typeof statisticsRange>
export type StatisticsPeriod = z.infer<typeof statisticsPeriod>

export const stepMs = { hour: 3_600_000, day: 86_400_000 } as const

/** The time before `to` unless `from` is given. */
const DEFAULT_MS = { hour: 86_400_000, day: 14 * 86_400_000 } as const

/**
 * The hours or days that a request asks for; the first one is whole.
 * @param series points of one hour or day
 * @throws AppError CONTRACT_VIOLATION when they are too many, or in the wrong order
 */
export function statisticsPeriodOf(range: StatisticsRange, series = 1, now = Date.now()): StatisticsPeriod {
  const step = range.step ?? 'hour'
  const to = instantOf(range.to) ?? now
  const from = instantOf(range.from) ?? to - DEFAULT_MS[step]
  if (from >= to) throw contractViolation({ from: ['The from must be before the to.'] })
  const begin = Math.floor(from / stepMs[step]) * stepMs[step]
  if (Math.ceil((to - begin) / stepMs[step]) * series > MAX_POINTS) throw tooManyPoints()
  return { from: new Date(begin).toISOString(), to: new Date(to).toISOString(), step }
}

/** @throws AppError CONTRACT_VIOLATION when there are too many */
export function limitPoints<Point>(points: Point[]): Point[] {
  if (points.length > MAX_POINTS) throw tooManyPoints()
  return points
}

function instantOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : parseInstant(text)?.getTime()
}

function tooManyPoints(): AppError {
  return contractViolation({ from: [`The range must not have more than ${MAX_POINTS} points.`] })
}
