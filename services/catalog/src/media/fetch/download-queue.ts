import { KeyedSemaphore, Semaphore } from '@partsbus/platform/async/semaphore'

/**
 * Limits the downloads at a time, in all and for each host. Hosts take turns, so that a slow host with thousands of
 * images does not delay the others.
 */
export class DownloadQueue {
  private readonly all: Semaphore
  private readonly hosts: KeyedSemaphore

  constructor({ total, perHost }: { total: number; perHost: number }) {
    this.all = new Semaphore(total)
    this.hosts = new KeyedSemaphore(perHost)
  }

  run<T>(host: string, work: () => Promise<T>): Promise<T> {
    return this.hosts.run(host, () => this.all.run({ groups: [host] }, work))
  }
}
