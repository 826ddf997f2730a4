import type { SettingsPatch, SettingsView } from '@partsbus/contracts/admin'
import type { Command } from '../command.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import { openAdmin } from '../open-clients.js'
import { drawTable } from '../terminal/draw-table.js'

export const getSettings: Command = {
  usage: '[NAME…]',
  summary: 'Prints all settings or the named ones; the value alone when one is named.',
  positionals: [0, Infinity],
  async run({ positionals: names, isJson }, { env, terminal }) {
    const settings: Partial<SettingsView> = await openAdmin(env)('GET /settings')
    const unknown = names.find((name) => !(name in settings))
    if (unknown !== undefined) throw new UsageError(`There is no setting ${unknown}.`)
    const entries = Object.entries(settings).filter(([name]) => names.length === 0 || names.includes(name))
    if (isJson) terminal.print(JSON.stringify(Object.fromEntries(entries)))
    else if (names.length === 1) terminal.print(showValue(entries[0]?.[1]))
    else
      for (const line of drawTable(
        ['setting', 'value'],
        entries.map(([name, value]) => [name, showValue(value)]),
      ))
        terminal.print(line)
    return exitCodes.ok
  },
}

export const setSettings: Command = {
  usage: 'NAME=VALUE…',
  summary: 'Changes settings. A value is JSON (true, 5, null, ["10.0.0.0/8"]) or, where it is none, a text.',
  positionals: [1, Infinity],
  async run({ positionals, isJson }, { env, terminal }) {
    const patch = Object.fromEntries(positionals.map((assignment) => readAssignment(assignment)))
    const answer = await openAdmin(env)('PATCH /settings', { body: patch as SettingsPatch })
    if (isJson) terminal.print(JSON.stringify(answer))
    else if (answer.b2b_token?.token !== undefined) {
      terminal.note('The partner API had no token. This one was generated:')
      terminal.print(answer.b2b_token.token)
    } else terminal.note('The settings are changed.')
    return exitCodes.ok
  },
}

/** `erp_enabled=true` → name and value. */
function readAssignment(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`Write NAME=VALUE instead of "${text}".`)
  return [text.slice(0, at), readValue(text.slice(at + 1))]
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
