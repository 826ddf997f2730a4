import { type Command, integerOption, readChoice, textOption } from '@partsbus/cli/command'
import { chooseMethod } from '../backup/choose-method.js'
import { makeBackup } from '../backup/make-backup.js'
import { countDocuments, type Manifest, methods } from '../backup/manifest.js'
import { findMongoTool } from '../backup/mongo-tools.js'
import { type Databases, withDatabases } from '../backup/open-databases.js'
import { withLocalStack } from '../local-stack-env.js'
import { serviceNames } from '@partsbus/contracts/diagnosis'
import { exitCodes, UsageError } from '@partsbus/cli/exit-codes'
import { readSecret } from '@partsbus/cli/open-clients'
import { openAdminIfNamed } from '../open-servers.js'
import { countOf } from '@partsbus/cli/terminal/count-of'
import type { Terminal } from '@partsbus/cli/terminal/terminal'

const DEFAULT_WAIT_S = 600

export const backup: Command = {
  usage: 'FOLDER [--method mongodump|dump] [--with-key] [--wait SECONDS] [--mongodb-url URL]',
  summary: 'Copies the databases as of one moment and then the files into a new folder, with checksums of all.',
  options: {
    method: { type: 'string' },
    'with-key': { type: 'boolean' },
    wait: { type: 'string' },
    'mongodb-url': { type: 'string' },
  },
  positionals: [1, 1],
  async run(line, { env: given, terminal }) {
    const [target = ''] = line.positionals
    const asked = textOption(line, 'method')
    const method = asked === undefined ? undefined : readChoice(asked, '--method', methods)
    const waitMs = (integerOption(line, 'wait', false, 0) ?? DEFAULT_WAIT_S) * 1_000
    const env = withLocalStack(given)
    const secretsKey = readSecret(env, 'SECRETS_KEY')
    const isKeyIncluded = line.options['with-key'] === true
    if (isKeyIncluded && secretsKey === undefined) throw new UsageError('--with-key needs SECRETS_KEY.')
    const url = textOption(line, 'mongodb-url')
    const manifest = await withDatabases(env, url, async (databases) => {
      const missing = serviceNames.filter((name) => !databases.has(name))
      if (missing.length > 0)
        throw new UsageError(`A backup is of all databases. Name a user who may read them (${missing.join(', ')}).`)
      const replicaSet = await readReplicaSet(databases)
      const hasMongodump = findMongoTool('mongodump', env) !== undefined
      const source = {
        env,
        method: chooseMethod(method, { replicaSet, hasMongodump }),
        databases,
        url: url ?? readSecret(env, 'MONGODB_URL') ?? '',
        admin: openAdminIfNamed(env),
        secretsKey,
        isKeyIncluded,
        waitMs,
      }
      return makeBackup(source, target, terminal)
    })
    if (line.isJson) terminal.print(JSON.stringify(manifest))
    else describeBackup(target, manifest, isKeyIncluded, terminal)
    return exitCodes.ok
  },
}

/** The name of the replica set; undefined for a single server and for FerretDB. */
async function readReplicaSet(databases: Databases): Promise<string | undefined> {
  const { setName } = (await databases.get('administration')?.db.admin().command({ hello: 1 })) ?? {}
  return typeof setName === 'string' ? setName : undefined
}

function describeBackup(target: string, manifest: Manifest, isKeyIncluded: boolean, terminal: Terminal): void {
  const { method, databases, storage, files, moment } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, storage.files.bytes)
  terminal.print(
    `${target}: ${countOf(countDocuments({ databases }), 'document')}, ${countOf(storage.files.count, 'file')}, ` +
      `${Math.ceil(bytes / 1024 ** 2)} MiB by ${method}, as of ${moment.until}`,
  )
  if (storage.objects !== null)
    terminal.note(
      `The bucket has ${storage.objects} objects, which are not in the backup: turn on its versioning, and keep ` +
        'former versions as long as the oldest backup.',
    )
  if (!isKeyIncluded)
    terminal.note('SECRETS_KEY is not in the backup. Without it the passwords of suppliers and sources are lost.')
}
