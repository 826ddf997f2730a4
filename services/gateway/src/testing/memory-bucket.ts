import type { GatewayContext } from '../context.js'

/** The bucket of uploads in memory, which says what was put, dropped and broken off. */
export class MemoryBucket implements Pick<GatewayContext['uploads'], 'put' | 'drop'> {
  readonly kept = new Map<string, Buffer>()
  readonly dropped: string[] = []
  brokenOff = 0
  /** set: what every put fails with, after its first bytes */
  failure: Error | undefined
  private count = 0

  async put(bytes: ReadableStream<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = []
    const reader = bytes.getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (this.failure) throw this.failure
        if (done) break
        chunks.push(value)
      }
    } catch (error) {
      this.brokenOff += 1
      throw error
    }
    const name = `object-${(this.count += 1)}`
    this.kept.set(name, Buffer.concat(chunks))
    return name
  }

  drop(object: string): void {
    this.dropped.push(object)
    this.kept.delete(object)
  }

  reset(): void {
    this.kept.clear()
    this.dropped.length = 0
    this.brokenOff = 0
    this.failure = undefined
  }
}
