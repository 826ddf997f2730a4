import type { RunningProduct } from '@partsbus/local-stack/running-product'

const PROBE_EVERY_MS = 50

/** The gateways whose `/readyz` succeeds, checked every 50 ms, as by a load balancer. */
export class ReadyGateways {
  private readonly ready = new Set<number>()
  /** one probe of each at a time: a late answer must not undo a newer one */
  private readonly probed = new Set<number>()
  private turn = 0
  private timer: NodeJS.Timeout | undefined
  private readonly gateways: { port: number; management: number }[]

  constructor(product: RunningProduct) {
    this.gateways = product
      .processes('gateway')
      .map(({ port, management_port }) => ({ port: port ?? 0, management: management_port ?? 0 }))
  }

  async start(): Promise<void> {
    await this.probe()
    this.timer = setInterval(() => void this.probe(), PROBE_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** The port of a ready gateway, in rotation. */
  pick(): number | undefined {
    const ports = [...this.ready].toSorted()
    return ports[this.turn++ % ports.length]
  }

  private async probe(): Promise<void> {
    await Promise.all(
      this.gateways.map(async ({ port, management }) => {
        if (this.probed.has(port)) return
        this.probed.add(port)
        const answer = await fetch(`http://127.0.0.1:${management}/readyz`, {
          signal: AbortSignal.timeout(1_000),
        }).catch(() => undefined)
        await answer?.arrayBuffer().catch(() => undefined)
        this.probed.delete(port)
        if (answer?.status === 200) this.ready.add(port)
        else this.ready.delete(port)
      }),
    )
  }
}
