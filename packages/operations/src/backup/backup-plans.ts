import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ServiceName } from '@partsbus/contracts/diagnosis'
import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'
import { CommandFailed } from '@partsbus/cli/exit-codes'

/** Where the build leaves what the services say of their databases. */
export const builtPlans = fileURLToPath(new URL('../../dist/backup-plans.json', import.meta.url))

/**
 * What the services of this release say of their databases. It is kept with the command: a restore runs while no
 * service does, and in an image that has none.
 */
export function readPlans(): Record<ServiceName, BackupPlan> {
  try {
    return JSON.parse(readFileSync(builtPlans, 'utf8')) as Record<ServiceName, BackupPlan>
  } catch (error) {
    throw new CommandFailed(`${(error as Error).message}. Build it: node scripts/prepare.mjs`)
  }
}
