import { z } from 'zod'
import { identifier, plainText } from '../field.js'
import { batchCommand, command } from '../message.js'
import { pageOf, pageRequest } from '../paging.js'
import { newPickUpPoint, offeredPickUpPoint, pickUpPoint, pickUpPointPatch } from './pick-up-point.js'
import { stockResult } from '../result.js'
import { ifRevisions, revision } from '../revision.js'
import { priceItem, stockItem, supply, supplyPatchRequest } from './stock-item.js'
import { newStorage, storage, storagePatch, supplier } from './storage.js'

const one = z.object({ id: identifier() })

export const updateStocks = batchCommand('stock.supplies.update', {
  key: 'stocks',
  idField: 'product_id_erp',
  item: stockItem,
  reply: stockResult,
  priority: 'high',
})
export const updatePrices = batchCommand('stock.prices.update', {
  key: 'prices',
  idField: 'product_id_erp',
  item: priceItem,
  reply: stockResult,
  priority: 'high',
})
export const listSupplies = command('stock.supplies.list', {
  request: pageRequest.extend({
    product_erp_id: plainText().optional().describe('supplies of this product'),
    storage_id: identifier().optional().describe('supplies in this storage'),
    pick_up_point_id: identifier().optional().describe('supplies at this pick-up point'),
  }),
  reply: pageOf(supply),
})
export const getSupply = command('stock.supplies.get', { request: one, reply: supply.extend(revision) })
export const patchSupply = command('stock.supplies.patch', {
  request: supplyPatchRequest.extend(ifRevisions),
  reply: supply.extend(revision),
})

const oneRevised = one.extend(ifRevisions)
const nothing = z.object({})

export const listPickUpPoints = command('stock.pick-up-points.list', {
  request: pageRequest.extend({ q: plainText(191).optional().describe('part of the name, city or address') }),
  reply: pageOf(pickUpPoint),
})
export const getPickUpPoint = command('stock.pick-up-points.get', { request: one, reply: pickUpPoint.extend(revision) })
export const createPickUpPoint = command('stock.pick-up-points.create', {
  request: newPickUpPoint,
  reply: pickUpPoint.extend(revision),
})
export const patchPickUpPoint = command('stock.pick-up-points.patch', {
  request: oneRevised.extend({ patch: pickUpPointPatch }),
  reply: pickUpPoint.extend(revision),
})
/** CONFLICT when a supply refers to it; the settings are checked by the gateway. */
export const deletePickUpPoint = command('stock.pick-up-points.delete', { request: oneRevised, reply: nothing })

export const listStorages = command('stock.storages.list', {
  request: pageRequest.extend({ q: plainText(191).optional().describe('part of the name') }),
  reply: pageOf(storage),
})
export const getStorage = command('stock.storages.get', { request: one, reply: storage.extend(revision) })
export const createStorage = command('stock.storages.create', {
  request: newStorage.extend({ id: identifier().optional().describe('reserved before; absent: the next one') }),
  reply: storage.extend(revision),
})
/** An id for a storage that another service creates together with what refers to it. */
export const reserveStorageId = command('stock.storages.reserve-id', {
  request: nothing,
  reply: z.object({ id: z.int() }),
})
export const patchStorage = command('stock.storages.patch', {
  request: oneRevised.extend({ patch: storagePatch }),
  reply: storage.extend(revision),
})
/** CONFLICT when a pick-up point or a supply refers to it; the settings are checked by the gateway. */
export const deleteStorage = command('stock.storages.delete', { request: oneRevised, reply: nothing })

/** Supplies of some products in some storages, for the search. */
export const findSupplies = command('stock.supplies.find', {
  request: z.object({ product_ids: z.array(identifier()).max(1_000), storage_ids: z.array(identifier()).max(1_000) }),
  reply: z.object({
    supplies: z.array(
      z.object({
        product_id: z.int(),
        storage_id: z.int(),
        quantity: z.int(),
        selling_price: z.number().nullable(),
        delivery_days: z.int(),
      }),
    ),
  }),
})

/** The highest product id of a supply, 0 without supplies; the catalog allocates higher ids (rules.md#restored-ids). */
export const getHighestProductId = command('stock.supplies.highest-product', {
  request: nothing,
  reply: z.object({ product_id: z.int() }),
})

/** The supplies of products at one storage and pick-up point, for the ERP (erp.md#status). */
export const getSupplyStates = command('stock.supplies.states', {
  request: z.object({
    product_ids: z.array(identifier()).max(1_000),
    storage_id: identifier(),
    pick_up_point_id: identifier(),
  }),
  reply: z.object({ supplies: z.array(supply) }),
})

/**
 * The active storages among these ids, or those of the active ones among these points. For the search only: the header
 * values of http suppliers are in clear text.
 */
export const resolveStorages = command('stock.storages.resolve', {
  request: z.union([
    z.object({
      storage_ids: z.array(identifier()).max(1_000),
      include_inactive: z.boolean().optional().describe('true: for a test of one that is not in use yet'),
    }),
    z.object({ pick_up_point_ids: z.array(identifier()).max(1_000) }),
  ]),
  reply: z.object({
    storages: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        supplier: supplier.nullable().describe('null: its stored header values cannot be decrypted'),
      }),
    ),
  }),
})

/** The active pick-up points in the partner API, ordered by id (partners.md#pick-up-point). */
export const listOfferedPickUpPoints = command('stock.pick-up-points.offered', {
  request: nothing,
  reply: z.object({ pick_up_points: z.array(offeredPickUpPoint) }),
})
