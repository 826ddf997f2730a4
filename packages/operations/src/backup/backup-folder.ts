import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandFailed, UsageError } from '@partsbus/cli/exit-codes'
import { sync, syncFolders, writeChecked } from './checked-files.js'
import { MANIFEST, type Manifest, parseManifest } from './manifest.js'

/*
 * A backup is a folder:
 *   manifest.json   what it is, and the checksums of all other files but those of files/
 *   database/       the databases, in the format of the method
 *   files/          files of the folder drivers, with their checksums in files.ndjson
 *   secrets-key     with --with-key only
 * It is written as `NAME.partial` and renamed when it is complete, so a folder without that ending is whole.
 */
const PARTIAL = '.partial'

export interface DraftFolder {
  path: string
  /** Writes the manifest, syncs everything and gives the folder its name. */
  complete(manifest: Manifest): Promise<void>
  /** Deletes what was written. */
  discard(): Promise<void>
}

/** @throws UsageError when something has the name already, or another run is writing it */
export async function createBackupFolder(target: string): Promise<DraftFolder> {
  const final = resolve(target)
  if (existsSync(final)) throw new UsageError(`${target} exists already. A backup never overwrites anything.`)
  const path = `${final}${PARTIAL}`
  await mkdir(dirname(final), { recursive: true, mode: 0o700 })
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new UsageError(
      `${path} exists: another backup is being written to it, or one was killed. Delete it if none runs any more.`,
    )
  })
  return {
    path,
    complete: async (manifest) => {
      const text = `${JSON.stringify(manifest, undefined, 2)}\n`
      await writeChecked(path, MANIFEST, [Buffer.from(text)])
      await syncFolders(path)
      if (existsSync(final)) throw new CommandFailed(`${target} was created by somebody else meanwhile.`)
      await rename(path, final)
      await sync(dirname(final))
    },
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/** @throws UsageError when the folder is no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isPartial = basename(folder).endsWith(PARTIAL) || existsSync(`${resolve(folder)}${PARTIAL}`)
    throw new UsageError(
      isPartial
        ? `${folder} is not complete: its backup was interrupted. Make another one.`
        : `${path} cannot be read (${error.code}): this is no backup.`,
    )
  })
  return parseManifest(text)
}
