import { readManifest } from '../backup/backup-folder.js'
import {
  assertKeyMatches,
  type Restored,
  type RestoreRequest,
  restoreIntoFolder,
  restoreIntoServers,
} from '../backup/restore-backup.js'
import { fileFolders } from '../backup/stored-files.js'
import { type Command, type CommandLine, textOption } from '@partsbus/cli/command'
import { withDatabases } from '../backup/open-databases.js'
import { CommandFailed, exitCodes, UsageError } from '@partsbus/cli/exit-codes'
import { readSecret } from '@partsbus/cli/open-clients'
import { readBus } from '../open-servers.js'
import { countOf } from '@partsbus/cli/terminal/count-of'
import { verifyBackup } from './verify.js'

export const restore: Command = {
  usage: 'BACKUP [--to STATE_DIR] [--replace] [--mongodb-url URL] [--nats-url URL]',
  summary: 'Restores a verified backup into an empty installation, closes both APIs and ends tokens and sessions.',
  options: {
    to: { type: 'string' },
    replace: { type: 'boolean' },
    'mongodb-url': { type: 'string' },
    'nats-url': { type: 'string' },
  },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const [backup = ''] = line.positionals
    const manifest = await readManifest(backup)
    const secretsKey = readSecret(env, 'SECRETS_KEY')
    assertKeyMatches(manifest, secretsKey)
    const [fault, ...others] = await verifyBackup(backup, manifest, terminal)
    if (fault)
      throw new CommandFailed(
        `${fault.path} ${fault.problem}${others.length > 0 ? `, and ${others.length} more` : ''}.`,
      )
    const isReplacing = line.options.replace === true
    const request: RestoreRequest = { backup, manifest, env, isReplacing, secretsKey, terminal }
    const folder = chooseFolder(line)
    const restored =
      folder === undefined ? await restoreServers(request, line) : await restoreIntoFolder(request, folder)
    terminal.endProgress()
    if (line.isJson) terminal.print(JSON.stringify({ id: manifest.id, folder, ...restored }))
    else describe(request, folder, restored)
    return exitCodes.ok
  },
}

/** The state folder to restore into; undefined for the servers that the variables name. */
function chooseFolder(line: CommandLine): string | undefined {
  const folder = textOption(line, 'to')
  if (folder !== undefined && textOption(line, 'mongodb-url') !== undefined)
    throw new UsageError('Give either --to or --mongodb-url.')
  return folder
}

async function restoreServers(request: RestoreRequest, line: CommandLine): Promise<Restored> {
  const { env } = request
  const given = textOption(line, 'mongodb-url')
  return withDatabases(env, given, (databases) => {
    const missing = request.manifest.databases.filter(({ service }) => !databases.has(service))
    if (missing.length > 0)
      throw new UsageError(
        `A restore is of all databases. Name a user who may write ${missing.map(({ name }) => name).join(', ')}.`,
      )
    return restoreIntoServers(request, {
      databases,
      url: given ?? readSecret(env, 'MONGODB_URL') ?? '',
      bus: readBus(env, textOption(line, 'nats-url')),
      folders: fileFolders(env),
    })
  })
}

function describe(
  { manifest, secretsKey, env, terminal }: RestoreRequest,
  folder: string | undefined,
  { documents, files, purged }: Restored,
): void {
  // the commands find the port of an installation in its folder
  const from = folder === undefined ? '' : `STATE_DIR=${folder} `
  const port = env.PORT ? `PORT=${env.PORT} ` : ''
  const hasKey = secretsKey !== undefined || manifest.files.some(({ path }) => path === 'secrets-key')
  terminal.print(
    `Restored ${countOf(documents, 'document')} and ${countOf(files, 'file')}, as of ${manifest.moment.until}.`,
  )
  terminal.print('Both APIs are closed, tokens are revoked, sessions have ended. What to do next:')
  const steps = [
    ...(hasKey
      ? []
      : [`Set SECRETS_KEY to the key of that time${folder === undefined ? '' : `, in ${folder}/secrets-key`}.`]),
    ...(purged === undefined ? ['Delete the data of the bus: NATS_URL was not set, so it was not purged.'] : []),
    ...(manifest.storage.objects === null ? [] : ['Bring the bucket to that time by its versions.']),
    `Start the services${folder === undefined ? '' : `: ${from}${port}npm start`}.`,
    `${from}partsbus doctor`,
    `${from}partsbus token issue erp; ${from}partsbus token issue b2b`,
    `${from}partsbus settings set erp_enabled=true b2b_enabled=true`,
    'Let the ERP send again what has changed since then.',
  ]
  for (const [index, step] of steps.entries()) terminal.print(`  ${index + 1}. ${step}`)
}
