import { AnswerError } from '@partsbus/client/answer-error'
import { type Command, type CommandContext, parseCommandLine } from './command.js'
import { serverCommands } from './commands.js'
import { CommandFailed, type ExitCode, exitCodes, explainUnreachable, UsageError } from './exit-codes.js'

/** A program with commands by name, in the order of its help. */
export interface Program {
  version: string
  commands: ReadonlyMap<string, Command>
}

/** Runs one command line, and reports errors. It does not throw. */
export async function runCli(args: readonly string[], program: Program, ctx: CommandContext): Promise<ExitCode> {
  const isJson = args.includes('--json')
  try {
    return await runCommand(args, program, ctx)
  } catch (error) {
    const report = describeError(error)
    ctx.terminal.endProgress()
    if (isJson) ctx.terminal.note(JSON.stringify({ error: report.fields }))
    else for (const line of report.lines) ctx.terminal.note(line)
    return report.code
  }
}

async function runCommand(
  args: readonly string[],
  { version, commands }: Program,
  ctx: CommandContext,
): Promise<ExitCode> {
  const [first = '--help'] = args
  if (first === '--version') {
    ctx.terminal.print(`partsbus ${version}`)
    return exitCodes.ok
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    for (const line of listCommands(commands)) ctx.terminal.print(line)
    return args.length === 0 ? exitCodes.usage : exitCodes.ok
  }
  const { name, command, rest } = findCommand(args, commands)
  const line = parseCommandLine(command, rest)
  if (line.isHelp) {
    for (const text of describeCommand(name, command)) ctx.terminal.print(text)
    return exitCodes.ok
  }
  return command.run(line, ctx)
}

/** A name has one word or two. @throws UsageError for an unknown one */
function findCommand(
  args: readonly string[],
  commands: Program['commands'],
): { name: string; command: Command; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    const command = commands.get(name)
    if (command) return { name, command, rest: args.slice(words) }
  }
  const [first = ''] = args
  if ((serverCommands as readonly string[]).includes(first))
    throw new UsageError(`partsbus ${first} needs the servers of Partsbus. Run it in the image cli, or in a checkout.`)
  const similar = [...commands.keys()].filter((name) => name.startsWith(`${first} `))
  throw new UsageError(
    similar.length > 0
      ? `Unknown command: ${args.slice(0, 2).join(' ')}. There are ${similar.join(', ')}.`
      : `Unknown command: ${first}. partsbus --help lists the commands.`,
  )
}

function listCommands(commands: Program['commands']): string[] {
  const lines = [...commands].map(([name, { usage, summary }]) => [`${name} ${usage}`.trim(), summary] as const)
  return [
    'partsbus COMMAND [options]',
    '',
    ...lines.flatMap(([synopsis, summary]) => [`  ${synopsis}`, `      ${summary}`]),
    '',
    'PARTSBUS_URL names the gateway, ADMIN_TOKEN or ADMIN_TOKEN_FILE the administrator; without them it is the',
    'installation that npm start keeps in STATE_DIR (.state), or else http://127.0.0.1:8080.',
    '--json prints one JSON document. Exit codes: 0 success, 1 usage, 2 failed, 3 unreachable.',
  ]
}

function describeCommand(name: string, { usage, summary }: Command): string[] {
  return [`partsbus ${name} ${usage}`.trim(), '', summary]
}

interface ErrorReport {
  code: ExitCode
  lines: string[]
  fields: Record<string, unknown>
}

function describeError(error: unknown): ErrorReport {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError) return { code: exitCodes.usage, lines: [message], fields: { message } }
  if (error instanceof CommandFailed) return { code: exitCodes.failed, lines: [message], fields: { message } }
  if (error instanceof AnswerError) {
    const { status, errors, by, requestId } = error
    const isAway = status === 503 || status === 504
    return {
      code: isAway ? exitCodes.unreachable : exitCodes.failed,
      lines: [
        `${message} (HTTP ${status}${requestId === null ? '' : `, request ${requestId}`})`,
        ...Object.entries(errors).flatMap(([path, texts]) => texts.map((text) => `  ${path}: ${text}`)),
        ...by.map(({ kind, id, name: referrer }) => `  ${kind} ${id} ${referrer}`),
      ],
      fields: { message, status, ...(Object.keys(errors).length > 0 && { errors }), request_id: requestId },
    }
  }
  const unreachable = explainUnreachable(error)
  if (unreachable === undefined) return { code: exitCodes.failed, lines: [message], fields: { message } }
  const text = `${unreachable} Start it, or set PARTSBUS_URL.`
  return { code: exitCodes.unreachable, lines: [text], fields: { message: text } }
}
