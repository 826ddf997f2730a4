import { z } from 'zod'
import { identifier, optionalText, plainText, requiredText } from '../field.js'

const fields = {
  name: requiredText().meta({ example: 'Склад на Заводской' }),
  country: optionalText(191).describe('null when unknown').meta({ example: null }),
  region: optionalText(191),
  city: optionalText(191).meta({ example: 'Екатеринбург' }),
  address: plainText(1_000).optional().meta({ example: 'ул. Заводская, 1' }),
  phone: plainText(191).optional().meta({ example: '+7 343 000-00-00' }),
  email: plainText(191).optional().meta({ example: '' }),
  description: plainText(10_000).optional(),
  schedule: plainText(1_000).optional().meta({ example: 'Mon–Fri 9–18' }),
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
    name: z.string().meta({ example: 'Склад на Заводской' }),
    country: z.string().nullable().meta({ example: null }),
    region: z.string().nullable().meta({ example: null }),
    city: z.string().nullable().meta({ example: 'Екатеринбург' }),
    address: z.string().meta({ example: 'ул. Заводская, 1' }),
    phone: z.string().meta({ example: '+7 343 000-00-00' }),
    email: z.string().meta({ example: '' }),
    description: z.string(),
    schedule: z.string().meta({ example: 'Mon–Fri 9–18' }),
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
    caption: z.string().meta({ example: 'Склад на Заводской' }),
    country: z.string().nullable().meta({ example: null }),
    region: z.string().nullable().meta({ example: null }),
    city: z.string().nullable().meta({ example: 'Екатеринбург' }),
    address: z.string().meta({ example: 'ул. Заводская, 1' }),
    phone: z.string().meta({ example: '+7 343 000-00-00' }),
    email: z.string().meta({ example: '' }),
    description: z.string(),
    timetable: z.string().meta({ example: 'Mon–Fri 9–18' }),
  })
  .meta({ id: 'OfferedPickUpPoint' })

export type OfferedPickUpPoint = z.infer<typeof offeredPickUpPoint>
