import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Db, MongoClient } from 'mongodb'
import { waitFor } from '../wait-for.js'
import { EmulatedSet } from './emulated-set.js'
import type { FailCommand } from './fail-point.js'

const { MONGODB_REPLICA_SET_URL: realUrl, MONGODB_REPLICA_SET_SIGNAL: signalProgram } = process.env

/** Why a test is skipped that shows something of a real set only, for its name; empty: it runs. */
export const noRealSet = realUrl === undefined ? ' (skipped: MONGODB_REPLICA_SET_URL is not set)' : ''
/** Why a test is skipped that kills or freezes members, for its name; empty: it runs. */
export const noSignals =
  realUrl !== undefined && signalProgram === undefined ? ' (skipped: MONGODB_REPLICA_SET_SIGNAL is not set)' : ''

/** How late a change of the primary may be noticed. */
const HEARTBEAT_MS = 500
/** The longest time without a primary that the emulated set makes of a killed one. */
const EMULATED_ELECTION_MS = 4_000

/**
 * Disturbs a replica set of three members: that of `MONGODB_REPLICA_SET_URL`, whose user may do everything and whose
 * members have `enableTestCommands=1`, or an emulated one. `MONGODB_REPLICA_SET_SIGNAL` is a program that gets `KILL`,
 * `STOP`, `CONT` or `START` (after `KILL`) and the `host:port` of a real member, as the set names it.
 */
export class ReplicaSetControl {
  private readonly secondaries: MongoClient[] = []

  private constructor(
    readonly url: string,
    private readonly client: MongoClient,
    /** undefined: the set is a real one */
    private readonly emulated: EmulatedSet | undefined,
  ) {}

  /** @param backendUrl what an emulated set keeps its data in */
  static async open(backendUrl: string): Promise<ReplicaSetControl> {
    const emulated = realUrl === undefined ? await EmulatedSet.start(backendUrl) : undefined
    const address = realUrl ?? emulated?.url ?? ''
    return new ReplicaSetControl(
      address,
      await new MongoClient(address, { heartbeatFrequencyMS: HEARTBEAT_MS }).connect(),
      emulated,
    )
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

  /** Ends the primary with SIGKILL. @returns when another one is elected, and a function that starts it again */
  async killPrimary(): Promise<{ elected: Promise<void>; restart(): Promise<void> }> {
    const { me } = await this.primaryHello()
    const restart = this.emulated
      ? await this.emulated.killPrimary(EMULATED_ELECTION_MS)
      : await this.signal('KILL', me).then(() => () => this.signal('START', me))
    const elected = waitFor(
      // the driver finds the next primary by itself
      () => this.hello().catch(() => undefined),
      (found) => found?.isWritablePrimary === true && found.me !== me,
      60_000,
    )
    return { elected: elected.then(() => undefined), restart }
  }

  /** Stops a secondary without a word to the others. @returns a function that continues it */
  async freezeSecondary(): Promise<() => Promise<void>> {
    if (this.emulated) return this.emulated.freezeSecondary()
    const { hosts, me } = await this.primaryHello()
    const host = hosts.find((one) => one !== me) ?? ''
    await this.signal('STOP', host)
    return () => this.signal('CONT', host)
  }

  /** Stops all members: they answer nothing, and keep all connections. @returns a function that continues them */
  async freeze(): Promise<() => Promise<void>> {
    if (this.emulated) {
      const thaw = this.emulated.freeze()
      return async () => thaw()
    }
    const { hosts } = await this.hello()
    const signalAll = (name: string) => Promise.all(hosts.map((host) => this.signal(name, host)))
    await signalAll('STOP')
    return async () => void (await signalAll('CONT'))
  }

  /** An address of the primary alone, through a port of this machine, such as that of a proxy. */
  directUrl(port: number): string {
    return directUrl(this.url, `127.0.0.1:${port}`)
  }

  async primaryAddress(): Promise<{ host: string; port: number }> {
    const { hostname, port } = new URL(`mongodb://${(await this.primaryHello()).me}`)
    return { host: hostname, port: Number(port) }
  }

  async close(): Promise<void> {
    for (const client of [this.client, ...this.secondaries]) await client.close()
    await this.emulated?.stop()
  }

  private async admin(command: object): Promise<void> {
    await this.client.db('admin').command(command)
  }

  private async connectSecondaries(): Promise<MongoClient[]> {
    const { hosts, me } = await this.primaryHello()
    return Promise.all(
      hosts.filter((host) => host !== me).map((host) => new MongoClient(directUrl(this.url, host)).connect()),
    )
  }

  /** The driver notices a change of the primary late: until then the one before answers. */
  private primaryHello(): ReturnType<typeof this.hello> {
    return waitFor(
      () => this.hello(),
      (found) => found.isWritablePrimary,
      60_000,
    )
  }

  private async hello(): Promise<{ me: string; hosts: string[]; isWritablePrimary: boolean }> {
    return (await this.client.db('admin').command({ hello: 1 })) as Awaited<ReturnType<typeof this.hello>>
  }

  private async signal(name: string, host: string): Promise<void> {
    await promisify(execFile)(signalProgram ?? '', [name, host])
  }
}

/** Drops a database of a set that was disturbed: the driver may not have found the primary again. */
export async function dropDisturbed(db: Db): Promise<void> {
  await waitFor(() => db.dropDatabase().catch(() => false), Boolean)
}

/** The same address with one host instead of the set. */
function directUrl(url: string, host: string): string {
  const address = url.replace(/^(mongodb:\/\/(?:[^@/]*@)?)[^/]*/, `$1${host}`)
  return address.replace(/replicaSet=[^&]*/, 'directConnection=true')
}
