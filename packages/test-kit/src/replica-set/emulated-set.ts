import { BSON, type Document, ObjectId } from 'mongodb'
import { EmulatedMember } from './emulated-member.js'
import { errorReply, type FailCommand, FailPoint } from './fail-point.js'
import { replyTo, type WireMessage, withDocument } from './wire-message.js'

const NAME = 'rs0'
/** How long a planned change of the primary takes. */
const HAND_OVER_MS = 1_000
const NOT_WRITABLE_PRIMARY = 10_107
const WRITE_CONCERN_TIMEOUT = 64
/** What every member carries out. */
const ofAnyMember = new Set([
  ...['ping', 'buildInfo', 'saslStart', 'saslContinue', 'endSessions', 'killCursors'],
  ...['configureFailPoint', 'replSetStepDown'],
])
const writes = new Set([
  ...['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'dropIndexes', 'drop', 'dropDatabase', 'create'],
])

type Forward = (bytes: Buffer) => Promise<WireMessage>

/**
 * Three members of a replica set in front of one database, for what a driver sees of a set: addresses, elections,
 * errors, repeated writes, and a majority that has stalled. It takes `configureFailPoint` (`failCommand`, and
 * `stopReplProducer` of the secondaries) and `replSetStepDown` as mongod does, so that a spec runs against both.
 *
 * A write is carried out when the majority has it: until then a real primary has it as well, but majority reads do not
 * see it. It does not emulate rollbacks, local reads, members that lag, or MongoDB's own engine.
 */
export class EmulatedSet {
  readonly members: EmulatedMember[]
  /** position of the primary; undefined during an election */
  private primary: number | undefined = 0
  private term = 1
  private election: NodeJS.Timeout | undefined
  private readonly failPoints: FailPoint[] = []
  /** secondaries that fetch nothing from the primary */
  private readonly stalled = new Set<number>()
  private resume: (() => void)[] = []
  private frozen: Promise<void> = Promise.resolve()
  private readonly frozenMembers = new Map<number, Promise<void>>()
  /** replies to repeatable writes */
  private readonly done = new Map<string, Promise<Document>>()
  private readonly backend: URL

  private constructor(backendUrl: string, members: number) {
    this.backend = new URL(backendUrl)
    const backend = { host: this.backend.hostname, port: Number(this.backend.port) }
    this.members = Array.from({ length: members }, (_, at) => {
      this.failPoints.push(new FailPoint())
      return new EmulatedMember(backend, (message, forward) => this.handle(at, message, forward))
    })
  }

  /** @param backendUrl a standalone server or FerretDB, named by host and port */
  static async start(backendUrl: string, members = 3): Promise<EmulatedSet> {
    const set = new EmulatedSet(backendUrl, members)
    for (const member of set.members) await member.start()
    return set
  }

  get url(): string {
    const { username, password, pathname, searchParams } = this.backend
    const query = new URLSearchParams(searchParams)
    query.delete('directConnection')
    query.set('replicaSet', NAME)
    const hosts = this.members.map(({ address }) => address).join(',')
    return `mongodb://${username ? `${username}:${password}@` : ''}${hosts}${pathname || '/'}?${query}`
  }

  /** Ends the primary as SIGKILL does; another member follows it. @returns a function that starts it again */
  async killPrimary(electionMs: number): Promise<() => Promise<void>> {
    const member = this.members[this.primary ?? 0]
    this.elect(electionMs)
    await member?.stop()
    return async () => member?.start()
  }

  /** A secondary answers nothing. @returns a function that ends it */
  freezeSecondary(): () => Promise<void> {
    const at = this.members.findIndex((_, position) => position !== this.primary)
    let thaw = (): void => undefined
    this.frozenMembers.set(at, new Promise((done) => (thaw = done)))
    return async () => {
      this.frozenMembers.delete(at)
      thaw()
    }
  }

  /** Answers nothing, and keeps all connections. @returns a function that ends it */
  freeze(): () => void {
    let thaw = (): void => undefined
    this.frozen = new Promise((done) => (thaw = done))
    return thaw
  }

  async stop(): Promise<void> {
    clearTimeout(this.election)
    this.stalled.clear()
    for (const resume of this.resume) resume()
    for (const member of this.members) await member.stop()
  }

  private elect(afterMs: number): void {
    const previous = this.primary ?? 0
    this.primary = undefined
    clearTimeout(this.election)
    this.election = setTimeout(() => {
      const next = this.members.findIndex(({ isUp }, at) => isUp && at !== previous)
      this.primary = next === -1 ? previous : next
      this.term += 1
    }, afterMs)
  }

  private async handle(at: number, message: WireMessage, forward: Forward): Promise<Buffer | undefined> {
    await this.frozen
    await this.frozenMembers.get(at)
    const [name = ''] = Object.keys(message.document)
    if (/^(hello|ismaster|isMaster)$/.test(name)) {
      const reply = await forward(message.raw)
      return withDocument({ ...reply, replyTo: message.id }, { ...reply.document, ...this.describe(at) })
    }
    if (name === 'configureFailPoint')
      return replyTo(message, this.configure(at, BSON.deserialize(BSON.serialize(message.document))))
    if (name === 'replSetStepDown') {
      this.elect(HAND_OVER_MS)
      return replyTo(message, { ok: 1 })
    }
    if (ofAnyMember.has(name)) return (await forward(message.raw)).raw
    const failure = this.failPoints[at]?.take(name)
    if (failure?.closeConnection) return undefined
    const isRepeatable = message.document.txnNumber !== undefined
    if (failure?.errorCode !== undefined) return replyTo(message, errorReply(failure.errorCode, isRepeatable))
    if (this.primary !== at) return replyTo(message, errorReply(NOT_WRITABLE_PRIMARY, isRepeatable))
    const reply = await this.carryOut(name, message, forward)
    return replyTo(
      message,
      failure?.writeConcernError ? { ...reply, writeConcernError: failure.writeConcernError } : reply,
    )
  }

  private async carryOut(name: string, message: WireMessage, forward: Forward): Promise<Document> {
    const { txnNumber, lsid, $clusterTime: _time, commitQuorum = 'votingMembers', ...command } = message.document
    if (name === 'createIndexes' && commitQuorum !== 'majority') await Promise.all(this.frozenMembers.values())
    const run = async (): Promise<Document> => (await forward(withDocument(message, command))).document
    if (!writes.has(name)) return run()
    const key = txnNumber === undefined ? undefined : `${BSON.EJSON.stringify(lsid)} ${String(txnNumber)}`
    const known = key === undefined ? undefined : this.done.get(key)
    const written = known ?? this.majority().then(run)
    if (key !== undefined) this.done.set(key, written)
    written.then(
      // a failed write may be repeated
      ({ ok }) => Number(ok) === 1 || this.done.delete(key ?? ''),
      () => this.done.delete(key ?? ''),
    )
    return Promise.race([written, this.timeOut(command, message.documents)])
  }

  /** Resolves in order when the majority has what is written now. */
  private majority(): Promise<void> {
    if (!this.isStalled()) return Promise.resolve()
    return new Promise((done) => this.resume.push(done))
  }

  private isStalled(): boolean {
    return this.stalled.size > 0 && this.members.length - this.stalled.size <= this.members.length / 2
  }

  /** The reply to a write that the majority does not have in time. */
  private timeOut({ writeConcern }: Document, documents: number): Promise<Document> {
    const errmsg = 'waiting for replication timed out'
    const reply = {
      ok: 1,
      n: documents,
      nModified: documents,
      writeConcernError: { code: WRITE_CONCERN_TIMEOUT, errmsg },
    }
    const ms = Number(writeConcern?.wtimeout ?? 0)
    return new Promise((done) => {
      if (this.isStalled() && ms > 0) setTimeout(() => done(reply), ms).unref()
    })
  }

  private configure(at: number, { configureFailPoint, mode, data }: Document): Document {
    if (configureFailPoint === 'failCommand') this.failPoints[at]?.configure(mode, data as FailCommand)
    else if (configureFailPoint === 'stopReplProducer') this.setStalled(at, mode !== 'off')
    else return { ok: 0, code: 9, errmsg: `unknown fail point ${configureFailPoint}` }
    return { ok: 1 }
  }

  private setStalled(at: number, isStalled: boolean): void {
    if (isStalled) this.stalled.add(at)
    else this.stalled.delete(at)
    if (this.isStalled()) return
    const resume = this.resume
    this.resume = []
    for (const one of resume) one()
  }

  private describe(at: number): Document {
    const isPrimary = this.primary === at
    return {
      ismaster: isPrimary,
      isWritablePrimary: isPrimary,
      secondary: !isPrimary,
      setName: NAME,
      setVersion: 1,
      hosts: this.members.map(({ address }) => address),
      me: this.members[at]?.address,
      lastWrite: { lastWriteDate: new Date() },
      logicalSessionTimeoutMinutes: 30,
      ...(this.primary !== undefined && { primary: this.members[this.primary]?.address }),
      ...(isPrimary && { electionId: new ObjectId(this.term.toString(16).padStart(24, '0')) }),
    }
  }
}
