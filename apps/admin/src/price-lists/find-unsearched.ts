import type { StorageReference } from '@partsbus/contracts/stock/overview'

/** The storage, if it is in use and no search asks it. The lists of another kind of storage are read by no search. */
export const findUnsearched = (
  storages: readonly StorageReference[],
  storageId: number | undefined,
): StorageReference | undefined =>
  storages.find(
    ({ id, is_active, kind, in_search }) =>
      id === storageId && is_active && kind === 'price-list' && in_search === false,
  )
