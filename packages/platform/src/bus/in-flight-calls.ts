import { randomUUID } from 'node:crypto'
import { inFlightCallsSubject, processSubject } from '@partsbus/contracts/message'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { z } from 'zod'
import type { Log } from '../process/log.js'
import { subscribe } from './subscribe.js'

const inFlightRequest = z.object({ calls: z.array(z.string()).max(100_000) })

/** The response of one process: which of the named calls it is working on. */
export const inFlightReply = z.object({ process: z.string(), held: z.array(z.string()) })

/**
 * The calls that this process is working on. Callers that wait for long ask for them: see `orphaned-call-detector.ts`.
 */
export class InFlightCalls {
  private readonly log: Log
  private readonly flushReplies: () => void
  /** names this process on the bus */
  readonly process = randomUUID()
  private readonly calls = new Set<string>()
  private subscriptions: Subscription[] = []

  /**
   * @param flushReplies sends the pending replies: a caller must not learn that its call has ended before it has the
   * reply
   */
  constructor(log: Log, flushReplies: () => void = () => undefined) {
    this.log = log
    this.flushReplies = flushReplies
  }

  add(call: string): void {
    this.calls.add(call)
  }

  remove(call: string): void {
    this.calls.delete(call)
  }

  listen(nc: NatsConnection, service: string): void {
    this.subscriptions = [
      subscribe(nc, inFlightCallsSubject(service), { log: this.log }, (message) => {
        const { calls } = inFlightRequest.parse(message.json())
        const held = calls.filter((call) => this.calls.has(call))
        this.flushReplies()
        message.respond(JSON.stringify({ process: this.process, held } satisfies z.infer<typeof inFlightReply>))
      }),
      // without this subscription the bus reports to callers that this process no longer exists
      subscribe(nc, processSubject(service, this.process), { log: this.log }, (message) => void message.respond()),
    ]
  }

  /** Called after the last reply: until then callers must be able to find this process. */
  close(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe()
  }
}
