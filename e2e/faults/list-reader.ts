import type { ApiClient } from '../testing/api-client.js'
import { ARTICLES, question } from './marked-list.js'
import type { PartnerList, Parts } from '../testing/partner-shop.js'

const EVERY_MS = 20
/** Maximum number of concurrent queries; some may wait for an unavailable process. */
const MAX_CONCURRENT = 12

interface Watched {
  list: PartnerList
  rows: number
  /** the newest version in any response */
  newest: number
}

/**
 * A partner that queries the offers of some lists every 20 ms, and reports responses that are mixed, incomplete or
 * older than before.
 */
export class ListReader {
  /** wrong responses; must stay empty */
  readonly errors: string[] = []
  /** number of complete responses, and of responses with an unavailable supplier or service */
  complete = 0
  unavailable = 0
  private readonly watched: Watched[]
  private readonly underway = new Set<Promise<void>>()
  private readonly timer: NodeJS.Timeout
  private turn = 0

  constructor(
    private readonly client: ApiClient,
    lists: PartnerList[],
    rows: number,
  ) {
    this.watched = lists.map((list) => ({ list, rows, newest: 0 }))
    this.timer = setInterval(() => {
      if (this.underway.size >= MAX_CONCURRENT) return
      const query = this.query(this.turn++).finally(() => this.underway.delete(query))
      this.underway.add(query)
    }, EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all(this.underway)
  }

  private async query(turn: number): Promise<void> {
    const watched = this.watched[turn % this.watched.length] as Watched
    const { body, expected } = question(watched.list, (turn * 7) % ARTICLES, watched.rows)
    const before = watched.newest
    const answer = await this.client
      .send<Parts>('POST', '/get-parts', { body, timeoutMs: 15_000 })
      .catch(() => undefined)
    const { storageId } = watched.list
    if (
      answer === undefined ||
      answer.status === 503 ||
      answer.status === 504 ||
      (answer.status === 200 && answer.headers['x-suppliers'] !== `${storageId}=ok`)
    ) {
      this.unavailable += 1
      return
    }
    if (answer.status !== 200) return void this.errors.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    const versions = [...new Set(answer.body.parts.map(({ price }) => Math.floor(price ?? -1)))]
    const [version = 0] = versions
    this.complete += 1
    if (versions.length !== 1 || answer.body.parts.length !== expected) {
      this.errors.push(
        `list ${watched.list.id}: ${answer.body.parts.length} of ${expected} offers, of the versions ${versions}`,
      )
    } else if (version < before) {
      this.errors.push(`list ${watched.list.id}: version ${version} after ${before}`)
    }
    watched.newest = Math.max(watched.newest, version)
  }
}
