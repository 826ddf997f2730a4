import { z } from 'zod'
import { identifier, plainText } from './field.js'
import { batchCommand, command } from './message.js'
import { pageOf, pageRequest } from './paging.js'
import { newPickUpPoint, pickUpPoint, pickUpPointPatch } from './pick-up-point.js'
import { stockResult } from './result.js'
import { stockItem, supply, supplyPatchRequest } from './stock-item.js'
import { newStorage, storage, storagePatch } from './storage.js'

export const updateStocks = batchCommand('stock.supplies.update', {
  key: 'stocks', idField: 'product_id_erp', item: stockItem, reply: stockResult,
})
export const listSupplies = command('stock.supplies.list', {
  request: pageRequest.extend({
    product_erp_id: plainText().optional(),
    storage_id: identifier().optional(),
    pick_up_point_id: identifier().optional(),
  }),
  reply: pageOf(supply),
})
export const patchSupply = command('stock.supplies.patch', { request: supplyPatchRequest, reply: supply })

const one = z.object({ id: identifier() })
const nothing = z.object({})

export const listPickUpPoints = command('stock.pick-up-points.list', { request: pageRequest, reply: pageOf(pickUpPoint) })
export const getPickUpPoint = command('stock.pick-up-points.get', { request: one, reply: pickUpPoint })
export const createPickUpPoint = command('stock.pick-up-points.create', { request: newPickUpPoint, reply: pickUpPoint })
export const patchPickUpPoint = command('stock.pick-up-points.patch', {
  request: one.extend({ patch: pickUpPointPatch }), reply: pickUpPoint,
})
/** CONFLICT when a supply refers to it; the settings are checked by the gateway. */
export const deletePickUpPoint = command('stock.pick-up-points.delete', { request: one, reply: nothing })

export const listStorages = command('stock.storages.list', { request: pageRequest, reply: pageOf(storage) })
export const getStorage = command('stock.storages.get', { request: one, reply: storage })
export const createStorage = command('stock.storages.create', { request: newStorage, reply: storage })
export const patchStorage = command('stock.storages.patch', { request: one.extend({ patch: storagePatch }), reply: storage })
/** CONFLICT when a pick-up point or a supply refers to it; the settings are checked by the gateway. */
export const deleteStorage = command('stock.storages.delete', { request: one, reply: nothing })
