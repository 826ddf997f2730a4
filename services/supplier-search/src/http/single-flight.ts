import { AppError } from '@partsbus/contracts/app-error'

interface Flight {
  result: Promise<unknown>
  cancel: AbortController
  callers: number
}

/**
 * Runs identical work that overlaps once (rules.md#suppliers-cache). Every caller waits within a limit of its own;
 * the work is cancelled when its last caller has stopped waiting.
 */
export class SingleFlight {
  private readonly flights = new Map<string, Flight>()

  /**
   * @param work gets a signal that cancels it
   * @throws AppError TIMEOUT when there is no result within `limitMs`, or the error of `work`
   */
  async run<T>(key: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const flight = this.flights.get(key) ?? this.start(key, work)
    flight.callers += 1
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new AppError('TIMEOUT', `No answer within ${limitMs} ms.`)), limitMs)
    })
    try {
      return await Promise.race([flight.result as Promise<T>, timeout])
    } catch (error) {
      // the work is cancelled with the error that its last caller got
      if (flight.callers === 1) this.cancel(key, flight, error)
      throw error
    } finally {
      clearTimeout(timer)
      flight.callers -= 1
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const cancel = new AbortController()
    const result = work(cancel.signal)
    const flight: Flight = { result, cancel, callers: 0 }
    const remove = (): void => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    result.then(remove, remove)
    this.flights.set(key, flight)
    return flight
  }

  private cancel(key: string, flight: Flight, reason: unknown): void {
    if (this.flights.get(key) === flight) this.flights.delete(key)
    flight.cancel.abort(reason)
  }
}
