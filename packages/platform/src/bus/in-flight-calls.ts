import { inFlightCallsSubject, processSubject } from '@partsbus/contracts/message'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'

/** What a process answers to a caller who asks for his calls. */
export interface InFlightReply {
  process: string
  /** those of the named calls that it works on */
  held: string[]
}

/** The calls that this process works on, told to callers who wait for long: see `call-watch.ts`. */
export class InFlightCalls {
  private readonly process = randomUUID()
  private readonly held = new Set<string>()
  private readonly sendAnswers: () => void
  private subscriptions: Subscription[] = []

  /** @param sendAnswers sends what waits to be sent, so that no caller hears that his call is not held before he has its answer */
  constructor(sendAnswers: () => void = () => undefined) {
    this.sendAnswers = sendAnswers
  }

  hold(call: string): void {
    this.held.add(call)
  }

  release(call: string): void {
    this.held.delete(call)
  }

  listen(nc: NatsConnection, service: string): void {
    this.subscriptions = [
      nc.subscribe(inFlightCallsSubject(service), {
        callback: (error, message) => {
          if (error) return
          const { calls } = message.json<{ calls: string[] }>()
          const reply: InFlightReply = { process: this.process, held: calls.filter((call) => this.held.has(call)) }
          this.sendAnswers()
          message.respond(JSON.stringify(reply))
        },
      }),
      // what the server says when nobody listens there is the news that this process is gone
      nc.subscribe(processSubject(service, this.process), {
        callback: (error, message) => {
          if (!error) message.respond()
        },
      }),
    ]
  }

  /** Once the last call was answered: until then callers must find this process. */
  close(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe()
  }
}
