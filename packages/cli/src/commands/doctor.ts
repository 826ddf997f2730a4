import { type Command, textOption } from '../command.js'
import { readSchema } from '../doctor/check-schema.js'
import { type Databases, openDatabases, withLocalStack } from '../doctor/open-databases.js'
import { runDoctor } from '../doctor/run-doctor.js'
import { exitCodes } from '../exit-codes.js'
import { openAdminIfNamed, readBus, readSecret } from '../open-clients.js'

/** By service; null where none is recorded, or it cannot be read. */
async function readSchemaVersions({ of }: Databases): Promise<Record<string, number | null>> {
  const read = [...of].map(async ([service, db]) => {
    const schema = await readSchema(db).catch(() => undefined)
    return [service, schema?.version ?? null] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

export const doctor: Command = {
  usage: '[--fix] [--mongodb-url URL] [--nats-url URL]',
  summary: 'Checks servers, data, files, secrets and disks; --fix repairs what can be repaired without a loss.',
  options: { fix: { type: 'boolean' }, 'mongodb-url': { type: 'string' }, 'nats-url': { type: 'string' } },
  async run(line, { env: given, terminal }) {
    const env = withLocalStack(given)
    const databases = openDatabases(env, textOption(line, 'mongodb-url'))
    try {
      const findings = await runDoctor(
        {
          env,
          admin: openAdminIfNamed(env),
          databases,
          bus: readBus(env, textOption(line, 'nats-url')),
          secretsKey: readSecret(env, 'SECRETS_KEY'),
        },
        line.options.fix === true,
      )
      const open = findings.filter(({ isFixed }) => isFixed !== true)
      const versions = await readSchemaVersions(databases)
      const checked = Object.keys(versions)
      if (line.isJson) terminal.print(JSON.stringify({ findings, checked, schema_versions: versions }))
      else {
        for (const { code, severity, message, advice, isFixed } of findings) {
          terminal.print(`${isFixed === true ? 'fixed' : severity} ${code}: ${message}`)
          if (isFixed !== true) terminal.print(`    ${advice}`)
        }
        const named = checked.map((service) => `${service} (schema version ${versions[service] ?? 'unknown'})`)
        terminal.print(`${open.length} findings; databases checked: ${named.join(', ')}`)
      }
      return open.length > 0 ? exitCodes.failed : exitCodes.ok
    } finally {
      await databases.close()
    }
  },
}
