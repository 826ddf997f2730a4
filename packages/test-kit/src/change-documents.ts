import type { Collection, Db, Document } from 'mongodb'

type Stored = Document & { _id: string | number }
export type Undo = () => Promise<unknown>

/** Changes of stored documents behind the back of a service; each returns the way back. */
export interface DocumentChanges {
  collection(name: string): Collection<Stored>
  update(name: string, _id: string | number, $set: Document): Promise<Undo>
  remove(name: string, _id: string | number): Promise<Undo>
  insert(name: string, document: Stored): Promise<Undo>
}

export function changeDocuments(db: Db): DocumentChanges {
  const collection = (name: string) => db.collection<Stored>(name)
  const read = async (name: string, _id: string | number) => (await collection(name).findOne({ _id })) ?? {}
  return {
    collection,
    async update(name, _id, $set) {
      const before = await read(name, _id)
      await collection(name).updateOne({ _id }, { $set }, { upsert: true })
      return () => collection(name).replaceOne({ _id }, before)
    },
    async remove(name, _id) {
      const before = await read(name, _id)
      await collection(name).deleteOne({ _id })
      return () => collection(name).insertOne({ ...before, _id })
    },
    async insert(name, document) {
      await collection(name).insertOne(document)
      return () => collection(name).deleteOne({ _id: document._id })
    },
  }
}
