import { type Command, textOption } from '@partsbus/cli/command'
import { diagnosisEnv } from '../doctor/start-diagnose.js'
import { runDoctor } from '../doctor/run-doctor.js'
import { exitCodes, UsageError } from '@partsbus/cli/exit-codes'
import { withLocalStack } from '../local-stack-env.js'
import { openAdminIfNamed, readBus } from '../open-servers.js'
import { countOf } from '@partsbus/cli/terminal/count-of'

export const doctor: Command = {
  usage: '[--fix] [--mongodb-url URL] [--nats-url URL]',
  summary: 'Checks servers, data, files, secrets and disks; --fix repairs what can be repaired without a loss.',
  options: { fix: { type: 'boolean' }, 'mongodb-url': { type: 'string' }, 'nats-url': { type: 'string' } },
  async run(line, { env: given, terminal }) {
    const env = withLocalStack(given)
    const bus = readBus(env, textOption(line, 'nats-url'))
    const mongodbUrl = textOption(line, 'mongodb-url')
    const { findings, schemaVersions } = await runDoctor(
      {
        env,
        admin: openAdminIfNamed(env),
        bus,
        diagnosisEnv: (service) => diagnosisEnv(env, service, { mongodbUrl, bus }),
      },
      line.options.fix === true,
    )
    const checked = Object.keys(schemaVersions)
    if (checked.length === 0 && !bus) throw new UsageError('No service can be asked. Set NATS_URL, or give --nats-url.')
    const open = findings.filter(({ isFixed }) => isFixed !== true)
    if (line.isJson) terminal.print(JSON.stringify({ findings, checked, schema_versions: schemaVersions }))
    else {
      for (const { code, severity, message, advice, isFixed } of findings) {
        terminal.print(`${isFixed === true ? 'fixed' : severity} ${code}: ${message}`)
        if (isFixed !== true) terminal.print(`    ${advice}`)
      }
      const named = checked.map((service) => `${service} (schema version ${schemaVersions[service] ?? 'unknown'})`)
      terminal.print(`${countOf(open.length, 'finding')}; databases checked: ${named.join(', ')}`)
    }
    return open.length > 0 ? exitCodes.failed : exitCodes.ok
  },
}
