import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { ArrivingBodies } from './arriving-bodies.js'

/** Bodies that a test ends, and what became of each: its name, or the code of its refusal. */
function stage(limits: { atOnce: number; ofOne: number }) {
  const bodies = new ArrivingBodies({ withinMs: 20_000, ...limits })
  const outcomes: string[] = []
  const ends: Array<() => void> = []
  const receive = (name: string, { complete = false, address = '192.0.2.1' } = {}): void => {
    const request = { raw: { complete } as IncomingMessage, address }
    bodies
      .receive(request, (signal) => {
        return new Promise((resolve, reject) => {
          ends.push(() => resolve(new Uint8Array()))
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      })
      .then(
        () => outcomes.push(name),
        (error: { code: string }) => outcomes.push(`${name} ${error.code}`),
      )
  }
  const endAll = async (): Promise<string[]> => {
    for (const end of ends) end()
    await new Promise(setImmediate)
    return outcomes
  }
  return { receive, endAll }
}

describe('bodies that arrive (rules.md#overload)', () => {
  it('the oldest of the address that has not arrived yet gives way', async () => {
    const { receive, endAll } = stage({ atOnce: 9, ofOne: 2 })
    receive('arrived', { complete: true })
    receive('silent')
    receive('next')
    expect(await endAll()).toEqual(['silent OVERLOADED', 'arrived', 'next'])
  })

  it('that of the address with most gives way beyond the limit of all', async () => {
    const { receive, endAll } = stage({ atOnce: 3, ofOne: 2 })
    receive('other', { address: '192.0.2.2' })
    receive('silent')
    receive('second')
    receive('next', { address: '192.0.2.3' })
    expect(await endAll()).toEqual(['silent OVERLOADED', 'other', 'second', 'next'])
  })

  it('none gives way when all have arrived', async () => {
    const { receive, endAll } = stage({ atOnce: 1, ofOne: 1 })
    receive('first', { complete: true })
    receive('second', { complete: true })
    expect(await endAll()).toEqual(['first', 'second'])
  })
})
