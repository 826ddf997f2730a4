import { changes } from '@partsbus/contracts/changes'
import type { BusClient } from '@partsbus/platform/bus-client'
import { readAllowedHosts } from '@partsbus/platform/allowed-hosts'
import { Remembered, tellChange } from '@partsbus/platform/changes'
import { CounterStore } from '@partsbus/platform/counter-store'
import type { Log } from '@partsbus/platform/log'
import type { ServiceParts } from '@partsbus/platform/parts'
import type { SupplierSearchConfig } from './config.js'
import { HttpSuppliers } from './http/http-suppliers.js'
import { SpellingStore } from './http/spelling-store.js'
import { SupplierTransport } from './http/transport.js'
import { AskedStorages } from './search/asked-storages.js'
import { JointQuestions } from './search/joint-questions.js'
import { JointReads } from './search/joint-reads.js'
import { RememberedStorages } from './search/remembered-storages.js'
import { createSupplierMetrics, type SupplierMetrics } from './supplier-metrics.js'
import { KnownGroups } from './synonyms/known-groups.js'
import { SynonymStore } from './synonyms/synonym-store.js'

/** What the service owns, built once. */
export interface SupplierSearchContext {
  log: Log
  calls: BusClient
  metrics: SupplierMetrics
  /** reads that questions at the same time have in common */
  reads: JointReads
  /** questions at the same time that are the same */
  questions: JointQuestions
  /** whom a question goes to */
  storages: AskedStorages
  synonyms: SynonymStore
  knownGroups: KnownGroups
  freshRevision: Remembered<number>
  spellings: SpellingStore
  suppliers: HttpSuppliers
}

export async function openContext(parts: ServiceParts, config: SupplierSearchConfig): Promise<SupplierSearchContext> {
  const { db } = parts.mongo
  const synonyms = new SynonymStore(db.collection('brand_synonyms'), new CounterStore(db.collection('counters')), () => tellChange(parts.bus, changes.brandSynonyms))
  const spellings = new SpellingStore(db.collection('supplier_spellings'))
  await synonyms.prepare()
  await spellings.prepare()
  const rules = { reach: config.SUPPLIER_GUARD === 'on' ? 'public' : 'private', allowed: readAllowedHosts(config.SUPPLIER_ALLOWED_HOSTS) } as const
  const reads = new JointReads()
  return {
    log: parts.log,
    calls: parts.calls,
    metrics: createSupplierMetrics(parts.metrics),
    reads,
    questions: new JointQuestions(),
    storages: new AskedStorages(parts.calls, reads, new Remembered(parts.bus, changes.storages), new RememberedStorages()),
    synonyms,
    freshRevision: new Remembered(parts.bus, changes.brandSynonyms),
    knownGroups: new KnownGroups((keys) => synonyms.groupsOf(keys)),
    spellings,
    suppliers: new HttpSuppliers(new SupplierTransport(rules)),
  }
}
