import {
  MAX_POINTS,
  type StatisticsPeriod,
  type StatisticsRange,
  stepMs,
} from '@partsbus/contracts/administration/statistics-range'
import { parseInstant } from '@partsbus/contracts/instant'
import { contractViolation } from '@partsbus/contracts/violation'
import type { AppError } from '@partsbus/contracts/errors'

/** The time before `to` unless `from` is given. */
const DEFAULT_MS = { hour: 86_400_000, day: 14 * 86_400_000 } as const

/**
 * The hours or days that a request asks for; the first one is whole.
 * @param series points of one hour or day
 * @throws AppError CONTRACT_VIOLATION when they are too many, or in the wrong order
 */
export function statisticsPeriod(range: StatisticsRange, series = 1, now = Date.now()): StatisticsPeriod {
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
