import { z } from 'zod'
import { command } from '../message.js'
import { supplier } from './storage.js'

/** Stock in figures (admin.md#overview). */
export const stockFigures = z
  .object({
    supplies: z.int().describe('an estimate'),
    storages: z.int(),
    pick_up_points: z.int(),
    last_update_at: z.iso.datetime().nullable().describe('of the last ERP stock update; at most 10 s behind'),
  })
  .meta({ id: 'StockFigures' })

export type StockFigures = z.infer<typeof stockFigures>

const named = { id: z.int(), name: z.string().meta({ example: 'Main warehouse' }), is_active: z.boolean() }
export const storageReference = z
  .object({
    ...named,
    kind: z.enum(['own-stock', 'price-list', 'http']),
    in_search: z
      .boolean()
      .optional()
      .describe('whether a search asks it while it is active: by `storages_for_crosses`, or at an active point'),
  })
  .meta({ id: 'StorageReference' })
export const pickUpPointReference = z.object(named).meta({ id: 'PickUpPointReference' })

export type StorageReference = z.infer<typeof storageReference>

/** Names of all storages and pick-up points, for pickers and labels (admin.md#names). */
export const getStockReferences = command('stock.references.get', {
  request: z.object({}),
  reply: z.object({ storages: z.array(storageReference), pick_up_points: z.array(pickUpPointReference) }),
})

export const getStockOverview = command('stock.overview.get', {
  request: z.object({}),
  reply: stockFigures.extend({
    storage_references: z.array(storageReference),
    /** storages whose header values cannot be decrypted */
    unreadable: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
})

/**
 * A supplier as an administrator sends it, with its hidden header values replaced by the stored ones of a storage
 * (admin.md#secrets). For tests before saving only: the reply is in clear text. CONTRACT_VIOLATION for a value that is
 * not stored, or was stored for another address.
 */
export const revealSupplier = command('stock.suppliers.reveal', {
  request: z.object({ storage_id: z.int().optional(), supplier }),
  reply: z.object({ supplier: supplier.nullable().describe('null: the stored values cannot be decrypted') }),
})
