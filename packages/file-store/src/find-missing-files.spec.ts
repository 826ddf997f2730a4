import { expect, it } from '@jest/globals'
import type { Collection, Filter } from 'mongodb'
import { type FileDriver, FileNotFound } from './file-driver.js'
import { findMissingFiles } from './find-missing-files.js'

interface Stored {
  _id: number
  whole: boolean
}

it('a file that is deleted while files are looked at is not missing', async () => {
  const stored = [1, 2].map((_id): Stored => ({ _id, whole: true }))
  const asked: Array<Filter<Stored>> = []
  const records = {
    find: () => ({ sort: () => ({ limit: () => ({ toArray: async () => [...stored] }) }) }),
    countDocuments: async (filter: Filter<Stored>) => {
      asked.push(filter)
      return stored.filter(({ _id }) => _id === filter._id).length
    },
  } as unknown as Collection<Stored>
  const driver = {
    read: async (name: string) => {
      if (name === '1') stored.shift()
      throw new FileNotFound(name)
    },
  } as unknown as FileDriver
  const told = { what: 'files', advice: 'Restore them.' }
  const found = await findMissingFiles(records, { whole: true }, ({ _id }) => [driver, String(_id)], told)
  expect(found).toMatchObject([{ code: 'file-missing', message: 'The bytes of 1 files are missing: 2.' }])
  expect(asked).toEqual([
    { whole: true, _id: 1 },
    { whole: true, _id: 2 },
  ])
})
