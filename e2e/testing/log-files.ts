import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningProduct } from '@partsbus/local-stack/running-product'

/** The output of all processes, by file name. */
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

/** The last errors in the log of each process, for the message of a failed test. */
export function errorLines(product: RunningProduct): string[] {
  return [...readLogs(product)].flatMap(([name, text]) =>
    text
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .slice(-3)
      .map((line) => `${name}: ${line.slice(0, 1_500)}`),
  )
}
