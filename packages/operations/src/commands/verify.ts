import { readManifest } from '../backup/backup-folder.js'
import { type Comparison, compareInstallation } from '../backup/compare-installation.js'
import type { Manifest } from '../backup/manifest.js'
import { checkContents, checkSums, type Fault } from '../backup/verify-backup.js'
import { type Command, integerOption, textOption } from '@partsbus/cli/command'
import { withDatabases } from '../backup/open-databases.js'
import { withLocalStack } from '../local-stack-env.js'
import { exitCodes } from '@partsbus/cli/exit-codes'
import type { Terminal } from '@partsbus/cli/terminal/terminal'

const DEFAULT_SAMPLE = 1_000

export const verify: Command = {
  usage: 'BACKUP [--against] [--sample N] [--mongodb-url URL]',
  summary: 'Checks that a backup is complete and readable; --against compares it with a running installation, too.',
  options: { against: { type: 'boolean' }, sample: { type: 'string' }, 'mongodb-url': { type: 'string' } },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const [backup = ''] = line.positionals
    const sample = integerOption(line, 'sample') ?? DEFAULT_SAMPLE
    const manifest = await readManifest(backup)
    const faults = await verifyBackup(backup, manifest, terminal)
    const isCompared = line.options.against === true && faults.length === 0
    const comparison = isCompared
      ? await withDatabases(withLocalStack(env), textOption(line, 'mongodb-url'), (databases) =>
          compareInstallation(backup, manifest, databases, {
            sample,
            onCompared: (count) => terminal.progress(count, 0, 'documents'),
          }),
        )
      : undefined
    if (line.isJson) terminal.print(JSON.stringify({ id: manifest.id, faults, comparison }))
    else describe(manifest, faults, comparison, terminal)
    const isDifferent = comparison && (comparison.counts.length > 0 || comparison.different > 0)
    return faults.length > 0 || isDifferent ? exitCodes.failed : exitCodes.ok
  },
}

/** @returns the faults of the backup; its databases are read only when all checksums are right */
export async function verifyBackup(backup: string, manifest: Manifest, terminal: Terminal): Promise<Fault[]> {
  const faults = await checkSums(backup, manifest, (done, total) => terminal.progress(done, total, 'files'))
  let read = 0
  if (faults.length === 0)
    faults.push(
      ...(await checkContents(backup, manifest, (count) => terminal.progress((read += count), 0, 'documents'))),
    )
  terminal.endProgress()
  return faults
}

function describe(
  { method, moment }: Manifest,
  faults: readonly Fault[],
  comparison: Comparison | undefined,
  terminal: Terminal,
): void {
  terminal.endProgress()
  for (const { path, problem } of faults) terminal.print(`${path} ${problem}`)
  if (faults.length > 0) {
    terminal.print(`${faults.length} faults: this backup cannot be restored`)
    return
  }
  terminal.print(`The backup is complete and readable (${method}, as of ${moment.until}).`)
  if (!comparison) return
  for (const { collection, backup, installation } of comparison.counts)
    terminal.print(`${collection}: ${backup} documents in the backup, ${installation} in the installation`)
  for (const { collection, id, fields } of comparison.differences)
    terminal.print(`${collection} ${id}: ${fields === 'missing' ? 'missing' : `differs in ${fields.join(', ')}`}`)
  terminal.print(`${comparison.compared} documents compared, ${comparison.different} differ`)
}
