import type { Command, CommandContext } from '../command.js'
import { type ExitCode, exitCodes } from '../exit-codes.js'
import { openAdmin } from '../open-clients.js'

const DEFAULT_TEXT = 'Maintenance is in progress. Please repeat the request later.'

export const startMaintenance: Command = {
  usage: '[TEXT]',
  summary: 'Answers requests that write with 503 and the text; reading and searching go on, workers rest.',
  positionals: [0, 1],
  run: ({ positionals: [text = DEFAULT_TEXT], isJson }, ctx) => setMaintenance(text, isJson, ctx),
}

export const endMaintenance: Command = {
  usage: '',
  summary: 'Accepts requests that write again.',
  run: ({ isJson }, ctx) => setMaintenance(null, isJson, ctx),
}

async function setMaintenance(
  maintenance: string | null,
  isJson: boolean,
  { env, terminal }: CommandContext,
): Promise<ExitCode> {
  await openAdmin(env)('PATCH /settings', { body: { maintenance } })
  if (isJson) terminal.print(JSON.stringify({ maintenance }))
  else terminal.note(maintenance === null ? 'Maintenance has ended.' : `Maintenance: ${maintenance}`)
  return exitCodes.ok
}
