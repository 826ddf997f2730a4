import { z } from 'zod'
import { identifier, optionalText, plainText, requiredText } from '../field.js'

const fields = {
  name: requiredText(),
  country: optionalText(191).describe('null when unknown'),
  region: optionalText(191),
  city: optionalText(191),
  address: plainText(1_000).optional(),
  phone: plainText(191).optional(),
  email: plainText(191).optional(),
  description: plainText(10_000).optional(),
  schedule: plainText(1_000).optional(),
  is_active: z.boolean().optional(),
  storage_ids: z
    .array(identifier())
    .max(1_000)
    .optional()
    .describe('storages that deliver to this point; they must exist'),
}

export const newPickUpPoint = z.strictObject(fields).meta({ id: 'NewPickUpPoint' })
export const pickUpPointPatch = newPickUpPoint.partial().meta({ id: 'PickUpPointPatch' })

/** A pick-up point in the admin API. By default texts are `''` and `is_active` is true. */
export const pickUpPoint = z
  .object({
    id: z.int(),
    name: z.string(),
    country: z.string().nullable(),
    region: z.string().nullable(),
    city: z.string().nullable(),
    address: z.string(),
    phone: z.string(),
    email: z.string(),
    description: z.string(),
    schedule: z.string(),
    is_active: z.boolean(),
    storage_ids: z.array(z.int()),
  })
  .meta({ id: 'PickUpPoint' })

export type NewPickUpPoint = z.infer<typeof newPickUpPoint>
export type PickUpPointPatch = z.infer<typeof pickUpPointPatch>
export type PickUpPoint = z.infer<typeof pickUpPoint>

/** A pick-up point in the partner API: `caption` is its name, `timetable` its schedule. */
export const offeredPickUpPoint = z
  .object({
    id: z.int(),
    caption: z.string(),
    country: z.string().nullable(),
    region: z.string().nullable(),
    city: z.string().nullable(),
    address: z.string(),
    phone: z.string(),
    email: z.string(),
    description: z.string(),
    timetable: z.string(),
  })
  .meta({ id: 'OfferedPickUpPoint' })

export type OfferedPickUpPoint = z.infer<typeof offeredPickUpPoint>
