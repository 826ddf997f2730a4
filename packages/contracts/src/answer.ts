import { z } from 'zod'

/*
 * HTTP bodies that belong to no command: errors of the ERP and admin doors, the ERP's ping
 * (decisions, "Both APIs"; ERP document, "Errors").
 */

/** `{message}` of every refusal. */
export const messageAnswer = z.object({ message: z.string() }).meta({ id: 'Message' })

/** A 422: path of the broken field → texts. */
export const violationsAnswer = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).describe('path of the field (`products.3.name`, or `3.name` for the array form) → what is wrong with it; the first 1,000'),
}).meta({ id: 'ViolationList' })

/** `GET /api/erp/ping`. */
export const pong = z.object({ status: z.literal('ok') }).meta({ id: 'Pong' })
