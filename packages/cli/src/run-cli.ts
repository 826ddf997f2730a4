import { AnswerError } from '@partsbus/client/answer-error'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { type Command, type CommandContext, parseCommandLine } from './command.js'
import { commands } from './commands.js'
import { CommandFailed, type ExitCode, exitCodes, explainUnreachable, UsageError } from './exit-codes.js'

/** Runs one command line, and reports errors. It does not throw. */
export async function runCli(args: readonly string[], ctx: CommandContext): Promise<ExitCode> {
  const isJson = args.includes('--json')
  try {
    return await runCommand(args, ctx)
  } catch (error) {
    const report = describeError(error)
    ctx.terminal.endProgress()
    if (isJson) ctx.terminal.note(JSON.stringify({ error: report.fields }))
    else for (const line of report.lines) ctx.terminal.note(line)
    return report.code
  }
}

async function runCommand(args: readonly string[], ctx: CommandContext): Promise<ExitCode> {
  const [first = '--help'] = args
  if (first === '--version') {
    ctx.terminal.print(`partsbus ${buildInfo.version} (${buildInfo.commit})`)
    return exitCodes.ok
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    for (const line of listCommands()) ctx.terminal.print(line)
    return args.length === 0 ? exitCodes.usage : exitCodes.ok
  }
  const { name, command, rest } = findCommand(args)
  const line = parseCommandLine(command, rest)
  if (line.isHelp) {
    for (const text of describeCommand(name, command)) ctx.terminal.print(text)
    return exitCodes.ok
  }
  return command.run(line, ctx)
}

/** A name has one word or two. @throws UsageError for an unknown one */
function findCommand(args: readonly string[]): { name: string; command: Command; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    const command = commands.get(name)
    if (command) return { name, command, rest: args.slice(words) }
  }
  const similar = [...commands.keys()].filter((name) => name.startsWith(`${args[0]} `))
  throw new UsageError(
    similar.length > 0
      ? `Unknown command: ${args.slice(0, 2).join(' ')}. There are ${similar.join(', ')}.`
      : `Unknown command: ${args[0]}. partsbus --help lists the commands.`,
  )
}

function listCommands(): string[] {
  const lines = [...commands].map(([name, { usage, summary }]) => [`${name} ${usage}`.trim(), summary] as const)
  return [
    'partsbus COMMAND [options]',
    '',
    ...lines.flatMap(([synopsis, summary]) => [`  ${synopsis}`, `      ${summary}`]),
    '',
    'PARTSBUS_URL names the gateway (http://127.0.0.1:8080), ADMIN_TOKEN or ADMIN_TOKEN_FILE the administrator.',
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
