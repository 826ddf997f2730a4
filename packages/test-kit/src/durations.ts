/**
 * The processor time of this process while it works, in milliseconds: unlike the wall clock, it does not depend on what
 * else the machine does.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The duration of the fastest of some attempts, in milliseconds: a busy machine delays single ones. */
export async function fastestMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
  }
  return Math.min(...durations)
}
