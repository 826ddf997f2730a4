import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'
import type { Diagnosis, Examined } from '@partsbus/platform/diagnosis/make-checks'
import { backupPlan } from './backup-plan.js'
import { type AdministrationConfig, administrationConfig } from './config.js'
import { referenceExists } from './settings/check-settings.js'
import { listReferences } from './settings/settings-references.js'
import { SettingsStore } from './settings/settings-store.js'

/** What is examined in the database of this service. */
export const diagnosis: Diagnosis<AdministrationConfig> = {
  config: administrationConfig,
  indexes: {},
  counters: backupPlan.counters,
  checks: (examined) => ({
    Settings: () => checkReferences(examined),
    Maintenance: () => checkMaintenance(examined),
  }),
}

async function checkReferences({ db, calls }: Examined): Promise<RepairableFinding[]> {
  const { values } = await new SettingsStore(db).read()
  const missing = new Map<string, number[]>()
  for (const reference of listReferences(values)) {
    const { setting, id } = reference
    if (!(await referenceExists(calls, reference))) missing.set(setting, [...(missing.get(setting) ?? []), id])
  }
  return [...missing].map(([name, ids]) => ({
    code: 'setting-without-target',
    severity: 'error',
    message: `The setting ${name} names ${ids.join(', ')}, which does not exist.`,
    advice: `partsbus settings set ${name}=…`,
  }))
}

async function checkMaintenance({ db }: Examined): Promise<RepairableFinding[]> {
  const { maintenance } = (await new SettingsStore(db).read()).values
  if (maintenance === null) return []
  return [
    {
      code: 'maintenance',
      severity: 'warning',
      message: `Maintenance is on: ${maintenance}`,
      advice: 'partsbus maintenance off',
    },
  ]
}
