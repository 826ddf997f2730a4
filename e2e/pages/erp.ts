import { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'
import { newName } from './lists.js'

/**
 * The ERP API with a storage and a pick-up point of its own. A new token ends the one that another scenario had.
 * @param run with a client under `/api/erp`, and the name of the storage
 */
export async function withErp(
  admin: ApiClient,
  origin: string,
  run: (erp: ApiClient, storage: string) => Promise<void>,
): Promise<void> {
  const name = newName('Warehouse')
  const storage = expectStatus(await admin.post<{ id: number }>('/storages', { name }), 201)
  const point = expectStatus(
    await admin.post<{ id: number }>('/pick-up-points', { name, storage_ids: [storage.body.id] }),
    201,
  )
  const settings = { erp_enabled: true, erp_storage_id: storage.body.id, erp_pick_up_point_id: point.body.id }
  expectStatus(await admin.patch('/settings', settings), 200)
  const { token } = expectStatus(await admin.post<{ token: string }>('/settings/erp-token'), 200).body
  const erp = new ApiClient(`${origin}/api/erp`, { authorization: `Bearer ${token}` })
  await run(erp, name).finally(() => erp.close())
}
