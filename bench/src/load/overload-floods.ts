import { type Figure, percentile, round } from '../figures/measure.js'
import {
  closedLoop,
  makeRequest,
  type TrafficClient,
  type TrafficRequest,
  type TrafficTargets,
} from './overload-traffic.js'

/** One API, with the request that floods it and is measured. */
const APIS = [
  ['the ERP', 'products'],
  ['partners', 'search'],
  ['administrators', 'read'],
  ['uploads', 'import'],
  ['images', 'image'],
] as const satisfies ReadonlyArray<readonly [string, TrafficRequest['kind']]>

const WIDTH = 128
const PROBE_EVERY_MS = 50
const RATIO = 2
/** On machines where an idle request takes a few milliseconds, twice that is within the noise. */
const NOISE_MS = 10

/** p99 of each API while another one is flooded with 128 requests at a time, against idle. */
export async function benchFloods(client: TrafficClient, targets: TrafficTargets, ms: number): Promise<Figure[]> {
  const idle = await probeAll(client, targets, undefined, sleepFor(ms))
  const figures: Figure[] = []
  for (const [name, kind] of APIS) {
    let turn = 0
    const flood = closedLoop(client, () => makeRequest(kind, (turn += 1) + 50_000, targets), WIDTH, ms)
    const flooded = await probeAll(client, targets, kind, flood)
    const outcomes = await flood
    const others = APIS.filter(([, other]) => other !== kind).map(([label, other]) => {
      const [before, during] = [idle.get(other), flooded.get(other)].map((times) => percentile(times ?? [], 0.99))
      return {
        label,
        before: before ?? NaN,
        during: during ?? NaN,
        excess: ((during ?? NaN) - NOISE_MS) / (before ?? NaN),
      }
    })
    const worst = others.reduce((one, other) => (other.excess > one.excess ? other : one))
    const refused = outcomes.filter(({ status, retryAfter }) => status === 503 && retryAfter).length
    figures.push({
      what: `p99 of the other APIs while ${WIDTH} requests at a time flood ${name}, against idle, the worst`,
      value: round(worst.during / worst.before),
      unit: '×',
      goal: `≤ ${RATIO}, or ${NOISE_MS} ms more`,
      reached: worst.excess <= RATIO,
      detail: [
        ...others.map(({ label, before, during }) => `${label} ${round(during, 0)} ms, idle ${round(before, 0)} ms`),
        `${Math.round((outcomes.length / ms) * 1_000)} a second`,
        `${Math.round((refused / outcomes.length) * 100)} % of them refused`,
      ].join('; '),
    })
    await sleepFor(2_000)
  }
  return figures
}

/** Sends one request after another to each API but the flooded one until `end`. A failed one took forever. */
async function probeAll(
  client: TrafficClient,
  targets: TrafficTargets,
  flooded: TrafficRequest['kind'] | undefined,
  end: Promise<unknown>,
): Promise<Map<TrafficRequest['kind'], number[]>> {
  let isOver = false
  const over = end.then(() => {
    isOver = true
  })
  const times = new Map<TrafficRequest['kind'], number[]>()
  await Promise.all(
    APIS.filter(([, kind]) => kind !== flooded).map(async ([, kind], index) => {
      const own: number[] = []
      times.set(kind, own)
      for (let turn = 0; !isOver; turn += 1) {
        const { status, ms } = await client.send(makeRequest(kind, turn * APIS.length + index, targets))
        own.push(status === 200 ? ms : Infinity)
        // an import is work for seconds
        await sleepFor(kind === 'import' ? PROBE_EVERY_MS * 10 : PROBE_EVERY_MS)
      }
    }),
  )
  await over
  return times
}

function sleepFor(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms)
  })
}
