import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type ExitCode, UsageError } from './exit-codes.js'
import type { Terminal } from './terminal/terminal.js'

type OptionTypes = NonNullable<ParseArgsConfig['options']>

/** Where a command runs. */
export interface CommandContext {
  env: NodeJS.ProcessEnv
  terminal: Terminal
}

export type OptionValue = string | boolean | undefined

/** The command line after the name of the command. */
export interface CommandLine {
  positionals: string[]
  /** by name, without dashes */
  options: Record<string, OptionValue>
  /** `--json`: one JSON document on the standard output */
  isJson: boolean
}

export interface Command {
  /** what follows the name, like `FILE --list N [--follow]` */
  usage: string
  summary: string
  options?: OptionTypes
  /** the least and the highest number of arguments */
  positionals?: readonly [least: number, most: number]
  run(line: CommandLine, ctx: CommandContext): Promise<ExitCode>
}

const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTypes

/** @throws UsageError for an unknown option, and for too few or too many arguments */
export function parseCommandLine(command: Command, args: readonly string[]): CommandLine & { isHelp: boolean } {
  const [least, most] = command.positionals ?? [0, 0]
  const { values, positionals } = parse(command, args)
  const { json, help, ...options } = values
  const isHelp = help === true
  if (!isHelp && positionals.length < least) throw new UsageError('An argument is missing.')
  if (!isHelp && positionals.length > most) throw new UsageError(`Unexpected argument: ${positionals[most]}`)
  return { positionals, options, isJson: json === true, isHelp }
}

function parse(command: Command, args: readonly string[]) {
  try {
    const options: OptionTypes = { ...command.options, ...COMMON_OPTIONS }
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { values: values as Record<string, OptionValue>, positionals }
  } catch (error) {
    throw new UsageError(describeParseError(command, error as Error & { code?: string }))
  }
}

function describeParseError({ options = {} }: Command, { code, message }: Error & { code?: string }): string {
  const option = /'(--?[^' ]+)/.exec(message)?.[1]
  if (option === undefined) return message
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const names = Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`)
    return `Unknown option ${option}. There are ${names.join(', ')}.`
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message
  const takesValue = options[option.replace(/^-+/, '')]?.type === 'string'
  return takesValue ? `${option} needs a value.` : `${option} takes no value.`
}

/** A text option. @throws UsageError when it is required and missing */
export function textOption(line: CommandLine, name: string, isRequired: true): string
export function textOption(line: CommandLine, name: string, isRequired?: false): string | undefined
export function textOption({ options }: CommandLine, name: string, isRequired = false): string | undefined {
  const value = options[name]
  if (typeof value === 'string' && value !== '') return value
  if (isRequired) throw new UsageError(`--${name} is missing.`)
  return undefined
}

/** A whole number from `least` on. @throws UsageError for anything else */
export function integerOption(line: CommandLine, name: string, isRequired: true, least?: number): number
export function integerOption(line: CommandLine, name: string, isRequired?: false, least?: number): number | undefined
export function integerOption(line: CommandLine, name: string, isRequired = false, least = 1): number | undefined {
  const text = isRequired ? textOption(line, name, true) : textOption(line, name)
  return text === undefined ? undefined : readInteger(text, `--${name}`, least)
}

/** @throws UsageError unless the text is a whole number from `least` on */
export function readInteger(text: string, name: string, least = 1): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  throw new UsageError(`${name} must be an integer from ${least} on, not "${text}".`)
}

/** One of the words. @throws UsageError for any other */
export function readChoice<Word extends string>(text: string, name: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw new UsageError(`${name} must be ${words.join(' or ')}, not "${text}".`)
}
