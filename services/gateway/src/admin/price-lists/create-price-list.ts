import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import { SETTINGS_CHANGE_TIMEOUT_MS } from '@partsbus/contracts/administration/settings-commands'
import { createPriceList as command } from '@partsbus/contracts/pricing-import/commands'
import { reserveStorageId } from '@partsbus/contracts/stock/commands'
import type { AdminCall } from '../admin-call.js'
import { callOptions } from '../admin-context.js'
import { hideSecrets } from '../audit/hide-secrets.js'
import { recordChange } from '../audit/record-change.js'
import { lockStorages } from '../resources/lock-storages.js'
import { entityTag } from '../resources/revisions.js'

/** Includes a change of the settings, and what a step that failed takes to be taken back. */
const TIMEOUT_MS = SETTINGS_CHANGE_TIMEOUT_MS + 10_000

type Call = AdminCall<'POST /price-lists'>

/** `POST /price-lists` (admin.md#price-lists), also with a storage of its own (admin.md#price-list-storage). */
export async function createPriceList(call: Call): Promise<PriceList> {
  const { ctx, body, reply } = call
  const { storage } = body
  const storage_id = body.storage_id ?? (await reserveId(call))
  const create = () => recordList(call, storage_id)
  const { revision, ...list } = await lockStorages(ctx, () =>
    storage
      ? recordChange(ctx, {
          action: 'storage.create',
          details: { ...storage, supplier: { kind: 'price-list' } },
          make: create,
          resultDetails: () => ({ id: storage_id }),
        })
      : create(),
  )
  if (revision !== undefined) reply.header('etag', entityTag(revision))
  return list
}

async function reserveId({ ctx, settings }: Call): Promise<number> {
  return (await ctx.calls.request(reserveStorageId, {}, callOptions(settings.call))).id
}

function recordList({ ctx, body, settings }: Call, storage_id: number) {
  const { in_search, ...fields } = body
  // a service of an earlier version refuses a field that it does not know
  const list = { ...fields, storage_id, ...(in_search && { in_search, caller: ctx.caller }) }
  return recordChange(ctx, {
    action: 'price-list.create',
    details: hideSecrets({ ...body, storage_id }),
    make: () => ctx.calls.request(command, list, callOptions(settings.call, TIMEOUT_MS)),
    resultDetails: ({ id }) => ({ id }),
  })
}
