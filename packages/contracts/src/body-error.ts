import { z } from 'zod'

/** Why a body is no JSON in UTF-8, and where (rules.md#body-error). */
export const bodyError = z
  .object({
    code: z.enum(['not_utf8', 'not_json']),
    byte: z.int().describe('offset in the body as it was sent, from 0; its length when the body ends too early'),
    message: z.string(),
  })
  .meta({ id: 'BodyError' })

export type BodyError = z.infer<typeof bodyError>

/** Of a body without a byte. */
export const emptyBody: BodyError = { code: 'not_json', byte: 0, message: 'The body is empty.' }
