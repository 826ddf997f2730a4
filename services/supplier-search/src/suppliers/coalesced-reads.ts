import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'

interface Read {
  running: Promise<unknown>
  /** shared by the callers that came while the read was running */
  next?: Promise<unknown>
}

/**
 * Reads that many queries make at the same time, like that of the storages. A caller never gets the result of a read
 * that began before it came: callers that come during a read share the next one. So every query sees each change
 * that was answered before it (rules.md#suppliers-fresh).
 */
@Injectable()
export class CoalescedReads {
  private readonly reads = new Map<string, Read>()

  /**
   * @param key equal for equal reads
   * @throws AppError TIMEOUT when there is no result within `limitMs`, or the error of `read`
   */
  async read<T>(key: string, limitMs: number, read: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new AppError('TIMEOUT', texts.timeout)), limitMs)
    })
    try {
      return await Promise.race([this.join(key, read) as Promise<T>, timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  private join(key: string, read: () => Promise<unknown>): Promise<unknown> {
    const current = this.reads.get(key)
    if (!current) return this.start(key, read)
    const follow = (): Promise<unknown> => this.start(key, read)
    current.next ??= current.running.then(follow, follow)
    return current.next
  }

  private start(key: string, read: () => Promise<unknown>): Promise<unknown> {
    const started: Read = { running: read() }
    this.reads.set(key, started)
    const remove = (): void => {
      if (started.next === undefined) this.reads.delete(key)
    }
    started.running.then(remove, remove)
    return started.running
  }
}
