/** What a V8 CPU profile contains, as far as it is read here. */
export interface CpuProfile {
  nodes: Array<{ id: number; callFrame: { functionName: string; url: string }; children?: number[] }>
  samples: number[]
  /** µs between a sample and the one before */
  timeDeltas: number[]
}

export const parts = [
  'HTTP',
  'validation',
  'bus',
  'rules',
  'driver',
  'sockets',
  'garbage collection',
  'log and metrics',
  'other',
] as const

export type Part = (typeof parts)[number]

/** `dispatch` is the profiler itself, as it starts and stops. */
const IDLE = new Set(['(idle)', '(root)', 'dispatch'])

/** The first pattern that matches the URL of a function's script decides. */
const scripts: ReadonlyArray<readonly [RegExp, Part]> = [
  [/\/node_modules\/(bson|mongodb)\//, 'driver'],
  [/\/packages\/platform\/dist\/mongo\//, 'driver'],
  [/\/node_modules\/zod\//, 'validation'],
  [/\/packages\/contracts\//, 'validation'],
  [/\/node_modules\/(pino|prom-client|sonic-boom|@opentelemetry|thread-stream)[-/]/, 'log and metrics'],
  [/\/packages\/platform\/dist\/process\//, 'log and metrics'],
  [/\/gateway\/dist\/http\/access-log/, 'log and metrics'],
  [/\/node_modules\/(@nats-io|@nestjs|rxjs)\//, 'bus'],
  [/\/packages\/platform\/dist\/bus\//, 'bus'],
  [/\/node_modules\/(fastify|@fastify|find-my-way|light-my-request|avvio|fast-json-stringify)\//, 'HTTP'],
  [/^node:(_http|internal\/http|internal\/url|querystring|url)/, 'HTTP'],
  [/^node:(net|dgram|tls|_tls|stream|internal\/stream|internal\/js_stream|buffer|internal\/buffer)/, 'sockets'],
  [/\/(services|packages)\/[a-z-]+\/dist\//, 'rules'],
]

/**
 * Processor time by part in ms. A native function, `JSON.parse` included, counts as its caller's; native code without a
 * caller works for sockets and files.
 */
export function timeByPart(profile: CpuProfile): Map<Part, number> {
  const parents = new Map<number, number>()
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id)
  const times = new Map<Part, number>()
  const known = new Map<number, Part | undefined>()
  for (const [at, id] of profile.samples.entries()) {
    if (!known.has(id)) known.set(id, partOf(id))
    const part = known.get(id)
    if (part === undefined) continue
    times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas[at] ?? 0) / 1_000)
  }
  return times

  function partOf(id: number): Part | undefined {
    for (let next: number | undefined = id; next !== undefined; next = parents.get(next)) {
      const { functionName, url } = frames.get(next) ?? { functionName: '', url: '' }
      if (url === '') {
        if (IDLE.has(functionName)) return undefined
        if (functionName === '(garbage collector)') return 'garbage collection'
        if (functionName === '(program)') return 'sockets'
        continue
      }
      const found = scripts.find(([pattern]) => pattern.test(url))
      if (found) return found[1]
      // helpers of Node, such as queues and promises, belong to whoever uses them
    }
    return 'other'
  }
}
