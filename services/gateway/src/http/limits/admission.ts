import { AppError, texts } from '@partsbus/contracts/errors'

/** How many requests may be in work at once, and how many bytes they may hold together. */
export interface AdmissionLimits {
  requests: number
  bytes: number
}

/** How much work is taken in at once; what is beyond is told to come again in a second. */
export class Admission {
  private readonly limits: AdmissionLimits
  private requests = 0
  private bytes = 0

  constructor(limits: AdmissionLimits) {
    this.limits = limits
  }

  /** Runs `work` when there is room. @throws AppError OVERLOADED at once when there is none */
  async run<T>(work: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
    if (this.requests >= this.limits.requests) throw overloaded()
    this.requests += 1
    let held = 0
    const hold = (bytes: number): void => {
      if (this.bytes + bytes > this.limits.bytes) throw overloaded()
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
