import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'

/** Everything the processes wrote, by the name of the file. */
export function readLogs(product: RunningProduct): Map<string, string> {
  const folder = join(product.stateDir, 'logs')
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** The JSON lines of one process's log. */
export function logLines(product: RunningProduct, name: string): Record<string, unknown>[] {
  const text = readLogs(product).get(`${name}.log`) ?? ''
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{"')) return []
    try {
      return [JSON.parse(line) as Record<string, unknown>]
    } catch {
      return []
    }
  })
}

/** What processes logged as errors, the last lines of each; for a test that is about to fail. */
export function errorLines(product: RunningProduct): string[] {
  return [...readLogs(product)].flatMap(([name, text]) =>
    text
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .slice(-3)
      .map((line) => `${name}: ${line.slice(0, 1_500)}`),
  )
}
