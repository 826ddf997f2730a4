import { describe, expect, it } from '@jest/globals'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { QueueDelayMonitor } from './queue-delay.js'

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('the queue delay', () => {
  it('is that of an event loop that is blocked again and again', async () => {
    const monitor = new QueueDelayMonitor()
    let highest = 0
    expect(
      await waitUntil(
        async () => {
          for (let count = 0; count < 5; count += 1) {
            block(60)
            await delay(0)
          }
          highest = Math.max(highest, monitor.read().eventLoop)
          return highest > 20
        },
        { withinMs: 20_000 },
      ),
    ).toBe(true)
    monitor.stop()
  })

  it('of connections is the median wait since the last reading', () => {
    const monitor = new QueueDelayMonitor()
    for (const ms of [3, 1, 900]) monitor.recordWait(ms)
    expect([monitor.read().connection, monitor.read().connection]).toEqual([3, 0])
    monitor.stop()
  })
})
