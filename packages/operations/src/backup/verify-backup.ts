import { CommandFailed } from '@partsbus/cli/exit-codes'
import { readChecked } from './checked-files.js'
import { documentsPath, readDump } from './documents.js'
import { type ListedFile, type Manifest, STORED_FILES } from './manifest.js'
import { readStoredFiles } from './stored-files.js'

/** A fault of a backup. */
export interface Fault {
  path: string
  problem: string
}

/** Compares every file with its checksum. @returns what is missing or differs */
export async function checkSums(
  backup: string,
  { files, storage }: Manifest,
  onChecked: (done: number, total: number) => void,
): Promise<Fault[]> {
  const faults: Fault[] = []
  const total = files.length + storage.files.count
  let done = 0
  const check = async (file: ListedFile): Promise<void> => {
    const fault = await checkFile(backup, file)
    if (fault) faults.push(fault)
    done += 1
    onChecked(done, total)
  }
  for (const file of files) await check(file)
  // a damaged list says nothing about the files
  if (faults.some(({ path }) => path === STORED_FILES)) return faults
  let listed = 0
  for await (const file of readStoredFiles(backup)) {
    listed += 1
    await check(file)
  }
  if (listed !== storage.files.count)
    faults.push({ path: STORED_FILES, problem: `lists ${listed} files, not ${storage.files.count}` })
  return faults
}

async function checkFile(backup: string, { path, bytes, sha256 }: ListedFile): Promise<Fault | undefined> {
  try {
    const found = await readChecked(backup, path)
    if (found.bytes !== bytes) return { path, problem: `has ${found.bytes} bytes, not ${bytes}` }
    return found.sha256 === sha256 ? undefined : { path, problem: 'differs from its checksum' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { path, problem: code === 'ENOENT' ? 'is missing' : `cannot be read (${code})` }
  }
}

/** Reads the databases of a backup to their end, and counts their documents. */
export async function checkContents(
  backup: string,
  manifest: Manifest,
  onDocuments: (count: number) => void,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { name, collections } of manifest.databases)
    for (const [collection, expected] of Object.entries(collections)) {
      const path = documentsPath(name, collection)
      try {
        let count = 0
        for await (const _document of readDump(backup, path)) count += 1
        onDocuments(count)
        if (count !== expected) faults.push({ path, problem: `has ${count} documents, not ${expected}` })
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error
        faults.push({ path, problem: error.message })
      }
    }
  return faults
}
