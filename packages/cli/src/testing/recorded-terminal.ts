import { type CommandContext } from '../command.js'
import { commands } from '../commands.js'
import { type Program, runCli } from '../run-cli.js'
import { openTerminal } from '../terminal/terminal.js'

export interface Recorded {
  code: number
  output: string
  errors: string
}

/** Runs a command line in this process, and records what it writes. */
export async function runRecorded(
  args: readonly string[],
  env: CommandContext['env'] = {},
  program: Program = { version: '0.0.0', commands },
): Promise<Recorded> {
  let output = ''
  let errors = ''
  const terminal = openTerminal(
    { write: (text: string) => ((output += text), true) },
    { write: (text: string) => ((errors += text), true) },
  )
  const code = await runCli(args, program, { env, terminal })
  return { code, output, errors }
}
