import type { Command } from './command.js'
import { importFile, previewFile } from './commands/import-file.js'
import { createList, listVersions, rollBackList } from './commands/price-lists.js'
import { endMaintenance, startMaintenance } from './commands/maintenance.js'
import { pushErp } from './commands/push-erp.js'
import { seed } from './commands/seed.js'
import { getSettings, setSettings } from './commands/settings.js'
import { issueToken, listTokens, revokeToken } from './commands/tokens.js'

/** The commands by name, in the order of the help. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['token issue', issueToken],
  ['token list', listTokens],
  ['token revoke', revokeToken],
  ['settings get', getSettings],
  ['settings set', setSettings],
  ['import', importFile],
  ['preview', previewFile],
  ['list create', createList],
  ['list versions', listVersions],
  ['list rollback', rollBackList],
  ['erp push', pushErp],
  ['maintenance on', startMaintenance],
  ['maintenance off', endMaintenance],
  ['seed', seed],
])

/** Commands that need the servers, not the gateway alone: those of `packages/operations`. */
export const serverCommands = ['doctor', 'backup', 'restore', 'verify'] as const
