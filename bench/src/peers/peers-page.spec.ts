import { describe, expect, it } from '@jest/globals'
import { render } from '../figures/results.js'
import type { Measurement, Pass } from './measure-work.js'
import { compare, itemsPerSecond, peersResults, secondsPerThousand } from './peers-page.js'
import type { PeerResults } from './results.js'

const pass = (products: number, ms: number, program: number, database: number): Pass => ({
  products,
  ms,
  processor: { program, database },
})

const fast: Measurement = {
  created: pass(10_000, 2_000, 1_000, 1_000),
  changed: pass(10_000, 4_000, 2_000, 2_000),
  memory: { program: 300.4, database: 99.6 },
}
const slow: Measurement = {
  created: pass(2_000, 8_000, 5_000, 3_000),
  changed: pass(1_000, 8_000, 5_000, 3_000),
  memory: { program: 200, database: 100 },
}

const peer = (title: string, measurement: Measurement, kind: 'cards' | 'stock' = 'cards'): PeerResults => ({
  title,
  machine: '2 × processor',
  measured: [{ ...measurement, kind, size: 200 }],
})

describe('figures of a pass', () => {
  it('divides products by time', () => {
    expect(itemsPerSecond(slow.created)).toBe(250)
  })

  it('divides processor time by products, part by part', () => {
    expect(secondsPerThousand(slow.created)).toEqual({ program: 2.5, database: 1.5 })
  })

  it('compares speeds and processor time so that more is better for the first', () => {
    expect(compare(fast, slow)).toEqual([20, 20, 20, 20])
  })
})

describe('peersResults', () => {
  const tables = render(
    peersResults([peer('Partsbus 1.0.0', fast), peer('Medusa 2.0.0', slow)], ['Vendure 3: no compiler']),
  )

  it('shows each work with its parts', () => {
    expect(tables).toContain(
      '| Partsbus 1.0.0 | 200 | 5,000 | 2,500 | 0.20 = program 0.10 + database 0.10 ' +
        '| 0.40 = program 0.20 + database 0.20 | 400 = program 300 + database 100 | 10,000 |',
    )
  })

  it('shows the numbers of products when the passes differ', () => {
    expect(tables).toContain('| 2,000, 1,000 |')
  })

  it('compares with each goal for which both sides were measured', () => {
    expect(tables).toContain('| Medusa: cards | 200 | ≥ 10 × | 20.0 × | 20.0 × | 20.0 × | 20.0 × | yes |')
    expect(tables).not.toContain('Vendure: cards')
  })

  it('names what could not be measured', () => {
    expect(tables).toContain('- Vendure 3: no compiler')
  })

  it('leaves out work that nobody was measured with', () => {
    expect(tables).not.toContain('### Stock')
  })
})
