import { writeFileSync } from 'node:fs'
import { serviceNames } from '@partsbus/contracts/diagnosis'
import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'
import { builtPlans } from './backup/backup-plans.js'

// a step of the build, which has the services beside it
const plans: Record<string, BackupPlan> = {}
for (const service of serviceNames) {
  const { href } = new URL(`../../../services/${service}/dist/backup-plan.js`, import.meta.url)
  plans[service] = ((await import(href)) as { backupPlan: BackupPlan }).backupPlan
}
writeFileSync(builtPlans, JSON.stringify(plans))
