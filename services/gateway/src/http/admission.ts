import { AppError, texts } from '@partsbus/contracts/errors'

/** Requests that wait for a service or hold a body, at once. */
const MAX_REQUESTS = 200
/** Bytes of bodies held at once: without it, 200 large ones would be 1.6 GB. */
const MAX_BYTES = 128 * 1024 * 1024

/** How much work is taken in at once; what is beyond is told to come again in a second. */
export class Admission {
  private requests = 0
  private bytes = 0

  /** Runs `work` when there is room. @throws AppError OVERLOADED at once when there is none */
  async run<T>(work: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    if (this.requests >= MAX_REQUESTS) throw overloaded()
    this.requests += 1
    let held = 0
    const hold = (bytes: number): void => {
      if (this.bytes + bytes > MAX_BYTES) throw overloaded()
      this.bytes += bytes
      held += bytes
    }
    try {
      return await work(hold)
    } finally {
      this.requests -= 1
      this.bytes -= held
    }
  }
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', texts.unavailable)
}
