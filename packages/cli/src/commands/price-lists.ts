import type { PriceListVersion } from '@partsbus/contracts/admin'
import { type Command, type CommandContext, integerOption, readChoice, readInteger, textOption } from '../command.js'
import { exitCodes, UsageError } from '../exit-codes.js'
import { openAdmin } from '../open-clients.js'
import { drawTable } from '../terminal/draw-table.js'

export const createList: Command = {
  usage: 'NAME --storage N [--mode replace|merge] [--markup PERCENT] [--delivery-days N]',
  summary: 'Creates an active price list for a storage and prints its id.',
  options: {
    storage: { type: 'string' },
    mode: { type: 'string' },
    markup: { type: 'string' },
    'delivery-days': { type: 'string' },
  },
  positionals: [1, 1],
  async run(line, { env, terminal }) {
    const mode = textOption(line, 'mode')
    const markup = textOption(line, 'markup')
    if (markup !== undefined && !Number.isFinite(Number(markup))) throw new UsageError('--markup must be a number.')
    const list = await openAdmin(env)('POST /price-lists', {
      body: {
        name: line.positionals[0] ?? '',
        storage_id: integerOption(line, 'storage', true),
        ...(mode !== undefined && { mode: readChoice(mode, '--mode', ['replace', 'merge']) }),
        ...(markup !== undefined && { markup_percent: Number(markup) }),
        delivery_days: integerOption(line, 'delivery-days', false, 0),
      },
    })
    terminal.print(line.isJson ? JSON.stringify(list) : String(list.id))
    return exitCodes.ok
  },
}

export const listVersions: Command = {
  usage: 'N',
  summary: 'Lists the versions of a price list that can be made live.',
  positionals: [1, 1],
  async run({ positionals: [id = ''], isJson }, ctx) {
    const versions = await openAdmin(ctx.env)('GET /price-lists/:id/versions', { params: { id: readInteger(id, 'N') } })
    printVersions(versions, isJson, ctx)
    return exitCodes.ok
  },
}

export const rollBackList: Command = {
  usage: 'N [--version V]',
  summary: 'Makes an earlier version of a price list live: the one before the live one, or the named one.',
  options: { version: { type: 'string' } },
  positionals: [1, 1],
  async run(line, ctx) {
    const version = integerOption(line, 'version')
    const versions = await openAdmin(ctx.env)('POST /price-lists/:id/rollback', {
      params: { id: readInteger(line.positionals[0] ?? '', 'N') },
      body: version === undefined ? undefined : { version },
    })
    printVersions(versions, line.isJson, ctx)
    return exitCodes.ok
  },
}

function printVersions(versions: PriceListVersion[], isJson: boolean, { terminal }: CommandContext): void {
  if (isJson) return terminal.print(JSON.stringify(versions))
  const names = [...new Set(versions.flatMap((version) => Object.keys(version)))]
  const rows = versions.map((version) => names.map((name) => (version as Record<string, unknown>)[name]))
  for (const row of drawTable(names, rows)) terminal.print(row)
}
