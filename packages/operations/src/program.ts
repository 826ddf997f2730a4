import type { Command } from '@partsbus/cli/command'
import { commands, type serverCommands } from '@partsbus/cli/commands'
import type { Program } from '@partsbus/cli/run-cli'
import { buildInfo } from '@partsbus/platform/process/build-info'
import { backup } from './commands/backup.js'
import { doctor } from './commands/doctor.js'
import { restore } from './commands/restore.js'
import { verify } from './commands/verify.js'

const own: Record<(typeof serverCommands)[number], Command> = { doctor, backup, restore, verify }

/** `partsbus` of the image and of a checkout: the commands of the package, and those that need the servers. */
export const program: Program = {
  version: `${buildInfo.version} (${buildInfo.commit})`,
  commands: new Map([...commands, ...Object.entries(own)]),
}
