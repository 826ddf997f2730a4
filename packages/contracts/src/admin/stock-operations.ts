import { listPickUpPoints, listStorages, listSupplies } from '../stock/commands.js'
import { newPickUpPoint, pickUpPoint, pickUpPointPatch } from '../stock/pick-up-point.js'
import { supply, supplyPatch } from '../stock/stock-item.js'
import { newStorage, storage, storagePatch } from '../stock/storage.js'
import { testStorage } from '../supplier-search/commands.js'
import { testSupplier } from '../supplier-search/overview.js'
import type { OperationRows } from './operation.js'

/** A supplier has up to 10 s. */
const SUPPLIER_MS = 15_000

export const stockOperations = {
  'GET /pick-up-points': {
    role: 'viewer',
    status: 200,
    query: listPickUpPoints.request,
    answer: listPickUpPoints.reply,
  },
  'POST /pick-up-points': { role: 'manager', status: 201, isRevised: true, body: newPickUpPoint, answer: pickUpPoint },
  'GET /pick-up-points/:id': { role: 'viewer', status: 200, isRevised: true, answer: pickUpPoint },
  'PATCH /pick-up-points/:id': {
    role: 'manager',
    status: 200,
    isRevised: true,
    body: pickUpPointPatch,
    answer: pickUpPoint,
  },
  'DELETE /pick-up-points/:id': { role: 'manager', status: 204, isRevised: true },

  'GET /storages': { role: 'viewer', status: 200, query: listStorages.request, answer: listStorages.reply },
  'POST /storages': { role: 'owner', status: 201, isRevised: true, body: newStorage, answer: storage },
  'GET /storages/:id': { role: 'viewer', status: 200, isRevised: true, answer: storage },
  'PATCH /storages/:id': { role: 'owner', status: 200, isRevised: true, body: storagePatch, answer: storage },
  'DELETE /storages/:id': { role: 'owner', status: 204, isRevised: true },
  'POST /storages/:id/test': {
    role: 'owner',
    status: 200,
    body: testStorage.request.pick({ article: true }).meta({ id: 'StorageTest' }),
    answer: testStorage.reply,
    timeoutMs: SUPPLIER_MS,
    waitsForOthers: true,
  },
  'POST /storages/test': {
    role: 'owner',
    status: 200,
    body: testSupplier.request,
    answer: testSupplier.reply,
    timeoutMs: SUPPLIER_MS,
    waitsForOthers: true,
  },

  'GET /supplies': { role: 'viewer', status: 200, query: listSupplies.request, answer: listSupplies.reply },
  'GET /supplies/:id': { role: 'viewer', status: 200, isRevised: true, answer: supply },
  'PATCH /supplies/:id': { role: 'manager', status: 200, isRevised: true, body: supplyPatch, answer: supply },
} as const satisfies OperationRows
