import { type Command, textOption } from '../command.js'
import { openDatabases, withLocalStack } from '../doctor/open-databases.js'
import { runDoctor } from '../doctor/run-doctor.js'
import { exitCodes } from '../exit-codes.js'
import { openAdminIfNamed, readBus, readSecret } from '../open-clients.js'

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
      const checked = [...databases.of.keys()]
      if (line.isJson) terminal.print(JSON.stringify({ findings, checked }))
      else {
        for (const { code, severity, message, advice, isFixed } of findings) {
          terminal.print(`${isFixed === true ? 'fixed' : severity} ${code}: ${message}`)
          if (isFixed !== true) terminal.print(`    ${advice}`)
        }
        terminal.print(`${open.length} findings; databases checked: ${checked.join(', ')}`)
      }
      return open.length > 0 ? exitCodes.failed : exitCodes.ok
    } finally {
      await databases.close()
    }
  },
}
