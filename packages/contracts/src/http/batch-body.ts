import { z } from 'zod'
import type { BatchCommand } from '../message.js'

/** The two forms of a batch: a bare array, or an object with the array. `products` → `ProductsBatch` */
export function batchBody<Item extends z.ZodType>({ key, item }: BatchCommand<Item>) {
  const list = z.array(item)
  const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}Batch`
  return z.union([list, z.object({ [key]: list }).meta({ id: name })]).meta({ title: `${name}Body` })
}
