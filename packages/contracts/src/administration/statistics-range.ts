import { z } from 'zod'
import { dateText } from '../field.js'

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
