import { ServerType } from 'mongodb'

/** How long requests are accepted, and wait, while the members of a replica set choose another primary. */
const GRACE_MS = 2_000

/** Types of servers that take writes. */
const writable = new Set<string>([
  ServerType.Standalone,
  ServerType.RSPrimary,
  ServerType.Mongos,
  ServerType.LoadBalancer,
])

/**
 * Whether requests may use the database: up → electing (other members of the set are known, for {@link GRACE_MS}) →
 * down, or up → down when no server is known any more.
 */
export class Reachability {
  private isWritable = false
  private isKnown = false
  /** when the last writable server was lost */
  private lostAt = -Infinity
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** @returns whether a server that takes writes was found (true) or lost (false) */
  update(servers: Iterable<{ readonly type: string }>): boolean | undefined {
    const types = [...servers].map(({ type }) => type)
    const wasWritable = this.isWritable
    this.isWritable = types.some((type) => writable.has(type))
    this.isKnown = types.some((type) => type !== ServerType.Unknown)
    if (this.isWritable === wasWritable) return undefined
    if (wasWritable) this.lostAt = this.now()
    return this.isWritable
  }

  isUp(): boolean {
    return this.isWritable || (this.isKnown && this.now() - this.lostAt < GRACE_MS)
  }
}
