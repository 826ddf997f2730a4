import { AppError, texts } from '@partsbus/contracts/errors'

interface Read {
  running: Promise<unknown>
  /** shared by all who came while it was running */
  next?: Promise<unknown>
}

/**
 * Reads that many questions make at the same time, like that of the storages. Nobody gets what was read before he came:
 * whoever comes while a read is under way shares the next one, so a change is seen by every question that follows it.
 */
export class JointReads {
  private readonly reads = new Map<string, Read>()

  /**
   * @param key the same for reads that are the same
   * @throws AppError TIMEOUT when there is no answer within `limitMs`, or whatever `work` throws
   */
  async read<T>(key: string, limitMs: number, work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(new AppError('TIMEOUT', texts.timeout)), limitMs)
    })
    try {
      return await Promise.race([this.join(key, work) as Promise<T>, over])
    } finally {
      clearTimeout(timer)
    }
  }

  private join(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const current = this.reads.get(key)
    if (!current) return this.start(key, work)
    const follow = (): Promise<unknown> => this.start(key, work)
    current.next ??= current.running.then(follow, follow)
    return current.next
  }

  private start(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const read: Read = { running: work() }
    this.reads.set(key, read)
    const end = (): void => {
      if (read.next === undefined) this.reads.delete(key)
    }
    read.running.then(end, end)
    return read.running
  }
}
