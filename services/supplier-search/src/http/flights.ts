import { AppError } from '@partsbus/contracts/errors'

interface Flight {
  answer: Promise<unknown>
  cancel: AbortController
  waiting: number
}

/**
 * Identical questions under way are asked once. Everybody waits within a limit of their own; when the last one has gone,
 * the work is cancelled.
 */
export class Flights {
  private readonly flights = new Map<string, Flight>()

  /**
   * @param work gets a signal that tells it to stop
   * @throws AppError TIMEOUT when there is no answer within `limitMs`, or whatever `work` throws
   */
  async join<T>(key: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const flight = this.flights.get(key) ?? this.start(key, work)
    flight.waiting += 1
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new AppError('TIMEOUT', `No answer within ${limitMs} ms.`)), limitMs)
    })
    try {
      return await Promise.race([flight.answer as Promise<T>, over])
    } catch (error) {
      // the reason that the work is told is the one its last caller was told
      if (flight.waiting === 1) this.end(key, flight, error)
      throw error
    } finally {
      clearTimeout(timer)
      flight.waiting -= 1
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const cancel = new AbortController()
    const answer = work(cancel.signal)
    const flight: Flight = { answer, cancel, waiting: 0 }
    const land = (): void => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    answer.then(land, land)
    this.flights.set(key, flight)
    return flight
  }

  private end(key: string, flight: Flight, reason: unknown): void {
    if (this.flights.get(key) === flight) this.flights.delete(key)
    flight.cancel.abort(reason)
  }
}
