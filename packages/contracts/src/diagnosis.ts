import { z } from 'zod'
import type { ProblemCode } from './administration/problem-codes.js'
import { type Command, command } from './message.js'

/** The services with a database, which they alone know. */
export const serviceNames = ['administration', 'catalog', 'stock', 'pricing-import', 'supplier-search'] as const
export type ServiceName = (typeof serviceNames)[number]

/** Something that is wrong with a service or with an installation. */
export const finding = z.object({
  /** stable, for scripts; a later release may find what this one has no code for */
  code: z.custom<ProblemCode>((value) => typeof value === 'string'),
  severity: z
    .enum(['error', 'warning'])
    .describe('error: data or a function is lost or in danger; warning: it will be'),
  message: z.string(),
  advice: z.string().describe('what to do'),
  isFixed: z.boolean().optional().describe('whether it was repaired'),
})

export type Finding = z.infer<typeof finding>

/** What `node dist/main.js --diagnose` of a service prints. */
export const diagnosisReport = z.object({
  service: z.string(),
  /** null where none is recorded, or the database cannot be read */
  schema_version: z.int().nullable(),
  findings: z.array(finding),
})

export type DiagnosisReport = z.infer<typeof diagnosisReport>

const diagnosisRequest = z.object({
  check: z.string().optional().describe('the check to make; without it the service only lists its checks'),
  fix: z.boolean().optional().describe('true: repairs what can be repaired without a loss'),
})
const diagnosisReply = diagnosisReport.extend({ checks: z.array(z.string()) })

/**
 * Asks a service what is wrong with it. One check a request: some read a whole collection, and the server takes a reply
 * for two minutes only. NOT_FOUND for a check that the service does not have.
 */
export function diagnose(service: string): Command<typeof diagnosisRequest, typeof diagnosisReply> {
  return command(`${service}.diagnose`, { request: diagnosisRequest, reply: diagnosisReply })
}

/** Longest time of one check. */
export const CHECK_TIMEOUT_MS = 110_000
