import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusClient } from '@partsbus/platform/bus/client'
import { readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { InvalidatedCache, publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { Log } from '@partsbus/platform/process/log'
import type { Runtime } from '@partsbus/platform/process/runtime'
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
  freshRevision: InvalidatedCache<number>
  spellings: SpellingStore
  suppliers: HttpSuppliers
}

export async function openContext(parts: Runtime, config: SupplierSearchConfig): Promise<SupplierSearchContext> {
  const { db } = parts.mongo
  const synonyms = new SynonymStore(db.collection('brand_synonyms'), new CounterStore(db.collection('counters')), () =>
    publishInvalidation(parts.bus, changes.brandSynonyms),
  )
  const spellings = new SpellingStore(db.collection('supplier_spellings'))
  await synonyms.prepare()
  await spellings.prepare()
  const rules = {
    reach: config.SUPPLIER_GUARD === 'on' ? 'public' : 'private',
    allowed: readAllowedHosts(config.SUPPLIER_ALLOWED_HOSTS),
  } as const
  const reads = new JointReads()
  return {
    log: parts.log,
    calls: parts.calls,
    metrics: createSupplierMetrics(parts.metrics),
    reads,
    questions: new JointQuestions(),
    storages: new AskedStorages(
      parts.calls,
      reads,
      new InvalidatedCache(parts.bus, changes.storages),
      new RememberedStorages(),
    ),
    synonyms,
    freshRevision: new InvalidatedCache(parts.bus, changes.brandSynonyms),
    knownGroups: new KnownGroups((keys) => synonyms.groupsOf(keys)),
    spellings,
    suppliers: new HttpSuppliers(new SupplierTransport(rules)),
  }
}
