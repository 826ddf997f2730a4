import type { Command, CommandLine } from '../command.js'
import { integerOption, readChoice } from '../command.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import { openAdmin } from '../open-clients.js'
import { drawTable } from '../terminal/draw-table.js'

const AUDIENCES = ['erp', 'b2b'] as const

export const issueToken: Command = {
  usage: 'erp|b2b [--overlap MINUTES]',
  summary: 'Generates a token and prints it; the token before it is rejected at once, or after the overlap (erp only).',
  options: { overlap: { type: 'string' } },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const audience = readAudience(line)
    const overlap = integerOption(line, 'overlap', false, 0)
    if (audience === 'b2b' && overlap !== undefined) throw new UsageError('--overlap is for the ERP token only.')
    const admin = openAdmin(env)
    const issued =
      audience === 'b2b'
        ? await admin('POST /settings/b2b-token')
        : await admin('POST /settings/erp-token', { body: { overlap_minutes: overlap } })
    if (line.isJson) terminal.print(JSON.stringify(issued))
    else {
      // the token alone is the result, so that it can be read into a variable
      terminal.print(issued.token)
      const until = issued.previous_valid_until
      if (until !== undefined) terminal.note(`The token before it is accepted until ${until}.`)
    }
    return exitCodes.ok
  },
}

export const listTokens: Command = {
  usage: '',
  summary: 'Lists the tokens by their last four characters.',
  async run({ isJson }, { env, terminal }) {
    const { erp_token, b2b_token } = await openAdmin(env)('GET /settings')
    if (isJson) terminal.print(JSON.stringify({ erp: erp_token, b2b: b2b_token }))
    else {
      const previous = erp_token?.previous
      const rows = [
        ['erp', erp_token?.last4, erp_token?.issued_at, previous && `…${previous.last4} until ${previous.valid_until}`],
        ['b2b', b2b_token?.last4, b2b_token?.issued_at, undefined],
      ]
      for (const row of drawTable(['api', 'ends with', 'issued', 'also accepted'], rows)) terminal.print(row)
    }
    return exitCodes.ok
  },
}

export const revokeToken: Command = {
  usage: 'erp|b2b',
  summary: 'Revokes the token; no gateway accepts it any more when the command ends.',
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const audience = readAudience(line)
    const admin = openAdmin(env)
    if (audience === 'erp') await admin('DELETE /settings/erp-token')
    else await admin('DELETE /settings/b2b-token')
    if (line.isJson) terminal.print(JSON.stringify({ revoked: audience }))
    else terminal.note(`The ${audience} token is revoked.`)
    return exitCodes.ok
  },
}

function readAudience({ positionals: [audience = ''] }: CommandLine): (typeof AUDIENCES)[number] {
  return readChoice(audience, 'The API', AUDIENCES)
}
