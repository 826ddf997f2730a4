import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PricingUnderTest } from './pricing-under-test.js'

// as built: a process of its own can be killed and frozen as no worker inside the test could
const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'main.js')

/** The service as a process of its own. */
export class ServiceProcess {
  private readonly child: ChildProcess

  constructor(pricing: PricingUnderTest, env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, [MAIN], { env: { ...pricing.env(), ...env }, stdio: 'ignore' })
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  freeze(): void {
    this.child.kill('SIGSTOP')
  }

  thaw(): void {
    this.child.kill('SIGCONT')
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return
    const gone = once(this.child, 'exit')
    this.child.kill(signal)
    await gone
  }
}
