import { expect, it } from '@jest/globals'
import { listCreator } from './create-list.js'

it('creates one storage, however often the list is refused', async () => {
  const made: string[] = []
  let isRefused = true
  const create = listCreator({
    createStorage: async (name) => ({ id: made.push(`storage ${name}`) }),
    createList: async ({ name, storage_id }) => {
      if (isRefused) throw new Error('503')
      return { id: made.push(`list ${name} of storage ${storage_id}`) }
    },
  })
  const list = { name: 'L', storage_id: null, storageName: 'S' }
  await expect(create(list)).rejects.toThrow('503')
  await expect(create({ ...list, name: 'M' })).rejects.toThrow('503')
  isRefused = false
  await create({ ...list, name: 'N' })
  // a list after it has a storage of its own
  await create({ ...list, name: 'O' })
  await create({ ...list, name: 'P', storage_id: 7 })
  expect(made).toEqual(['storage S', 'list N of storage 1', 'storage S', 'list O of storage 3', 'list P of storage 7'])
})
