export interface NewList {
  name: string
  /** null: a storage is created as well */
  storage_id: number | null
  storageName: string
  min_rows_ratio?: number | null
}

interface Calls {
  createStorage(name: string): Promise<{ id: number }>
  createList(list: Pick<NewList, 'name' | 'min_rows_ratio'> & { storage_id: number }): Promise<{ id: number }>
}

/**
 * Creates price lists, and the storage of one where only a name for it is given. When the list is refused, the next
 * attempt uses the storage that the first one created, rather than another one beside it.
 */
export function listCreator({ createStorage, createList }: Calls): (list: NewList) => Promise<{ id: number }> {
  const unused = new Map<string, number>()
  return async ({ storage_id, storageName, ...settings }) => {
    if (storage_id !== null) return createList({ ...settings, storage_id })
    const storage = unused.get(storageName) ?? (await createStorage(storageName)).id
    unused.set(storageName, storage)
    const list = await createList({ ...settings, storage_id: storage })
    unused.delete(storageName)
    return list
  }
}
