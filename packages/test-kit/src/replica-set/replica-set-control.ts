import { MongoClient } from 'mongodb'
import { EmulatedSet } from './emulated-set.js'
import type { FailCommand } from './fail-point.js'

/**
 * Disturbs a replica set of three members: that of `MONGODB_REPLICA_SET_URL`, whose user may do everything and whose
 * members have `enableTestCommands=1`, or an emulated one.
 */
export class ReplicaSetControl {
  private readonly secondaries: MongoClient[] = []

  private constructor(
    readonly url: string,
    private readonly client: MongoClient,
    /** undefined: the set is a real one */
    readonly emulated: EmulatedSet | undefined,
  ) {}

  /** @param backendUrl what an emulated set keeps its data in */
  static async open(backendUrl: string): Promise<ReplicaSetControl> {
    const url = process.env.MONGODB_REPLICA_SET_URL
    const emulated = url === undefined ? await EmulatedSet.start(backendUrl) : undefined
    const address = url ?? emulated?.url ?? ''
    return new ReplicaSetControl(address, await new MongoClient(address).connect(), emulated)
  }

  /** Makes the primary answer the next commands with an error. */
  async fail(data: FailCommand, times = 1): Promise<void> {
    await this.admin({ configureFailPoint: 'failCommand', mode: { times }, data })
  }

  async endFailures(): Promise<void> {
    await this.admin({ configureFailPoint: 'failCommand', mode: 'off' })
  }

  /** A planned change of the primary. */
  async stepDown(): Promise<void> {
    // a member that steps down may close the connection first
    await this.admin({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }).catch(() => undefined)
  }

  /** Stops replication to all secondaries. @returns a function that resumes it */
  async stallMajority(): Promise<() => Promise<void>> {
    if (this.secondaries.length === 0) this.secondaries.push(...(await this.connectSecondaries()))
    const setStalled = async (mode: string) => {
      for (const one of this.secondaries)
        await one.db('admin').command({ configureFailPoint: 'stopReplProducer', mode })
    }
    await setStalled('alwaysOn')
    return () => setStalled('off')
  }

  async close(): Promise<void> {
    for (const client of [this.client, ...this.secondaries]) await client.close()
    await this.emulated?.stop()
  }

  private async admin(command: object): Promise<void> {
    await this.client.db('admin').command(command)
  }

  private async connectSecondaries(): Promise<MongoClient[]> {
    const { hosts, me } = await this.client.db('admin').command({ hello: 1 })
    return Promise.all(
      (hosts as string[])
        .filter((host) => host !== me)
        .map((host) => {
          const address = this.url.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/]*/, `$1${host}`)
          return new MongoClient(address.replace(/replicaSet=[^&]*/, 'directConnection=true')).connect()
        }),
    )
  }
}
