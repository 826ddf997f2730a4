import type { Document, MongoClient } from 'mongodb'

/** What the driver adds to a command, or what `explain` does not take. */
const OF_THE_SESSION = ['lsid', '$clusterTime', '$db', 'txnNumber', 'readConcern', 'writeConcern', '$readPreference']

interface ExplainedQuery {
  /** like `find products {"id":{"$gt":5}}` */
  query: string
  /** like `IXSCAN id`; what is scanned or sorted in memory is named `COLLSCAN` and `SORT` */
  stages: string[]
}

/**
 * The plans of the queries that `work` makes, as a real mongod chooses them.
 * @param client with `monitorCommands: true`, and used by nothing else
 */
export async function explainQueries(client: MongoClient, work: () => Promise<unknown>): Promise<ExplainedQuery[]> {
  const seen: { name: string; command: Document }[] = []
  const record = ({ commandName: name, command }: { commandName: string; command: Document }): void => {
    if (/^(find|aggregate|count|distinct|update|delete|findAndModify)$/.test(name)) seen.push({ name, command })
  }
  client.on('commandStarted', record)
  try {
    await work()
  } finally {
    client.off('commandStarted', record)
  }
  const explained: ExplainedQuery[] = []
  for (const { name, command } of seen) {
    const query = Object.fromEntries(Object.entries(command).filter(([field]) => !OF_THE_SESSION.includes(field)))
    const plan = await client.db(String(command.$db)).command({ explain: query, verbosity: 'queryPlanner' })
    const filter: unknown = query.filter ?? query.pipeline ?? query.query ?? query.updates ?? query.deletes
    explained.push({ query: `${name} ${String(query[name])} ${JSON.stringify(filter)}`, stages: stagesOf(plan) })
  }
  return explained
}

/** Of the winning plans: those that were rejected are left out. */
function stagesOf(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf)
  if (typeof plan !== 'object' || plan === null) return []
  const { stage, indexName } = plan as Document
  const own = typeof stage === 'string' ? [[stage, indexName].filter(Boolean).join(' ')] : []
  const below = Object.entries(plan).filter(([field]) => field !== 'rejectedPlans' && field !== 'command')
  return [...own, ...below.flatMap(([, value]) => stagesOf(value))]
}
