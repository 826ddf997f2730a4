import { afterEach, describe, expect, it } from '@jest/globals'
import { firstThatStarts, type Attempt, type Way } from './ways.js'

const log = () => undefined

function attempt(way: Way, outcome: { whyNot?: string; error?: string } = {}): Attempt<{ url: string }> {
  return {
    way,
    what: `the ${way} one`,
    whyNot: () => outcome.whyNot,
    start: async () => {
      if (outcome.error !== undefined) throw new Error(outcome.error)
      return { url: way }
    },
  }
}

describe('the ways to a server', () => {
  afterEach(() => {
    delete process.env.LOCAL_STACK
  })

  it('takes the first that starts, and says which', async () => {
    const ways = [
      attempt('given', { whyNot: 'not set' }),
      attempt('docker', { error: 'no image' }),
      attempt('path'),
      attempt('built'),
    ]
    expect(await firstThatStarts('MongoDB', ways, 'advice', log)).toEqual({ url: 'path', how: 'path' })
  })

  it('says of every way why it failed, and what to do', async () => {
    const ways = [attempt('given', { whyNot: 'not set' }), attempt('docker', { error: 'no image' })]
    await expect(firstThatStarts('MongoDB', ways, 'Start Docker.', log)).rejects.toThrow(
      'No MongoDB can be had. Tried:\n- the given one: not set\n- the docker one: no image\nStart Docker.',
    )
  })

  it('does not silently replace a given server that does not answer', async () => {
    await expect(
      firstThatStarts('MongoDB', [attempt('given', { error: 'nothing answers' }), attempt('built')], '', log),
    ).rejects.toThrow('nothing answers')
  })

  it('LOCAL_STACK leaves one way, but never overrules a given URL', async () => {
    process.env.LOCAL_STACK = 'built'
    expect(await firstThatStarts('NATS', [attempt('docker'), attempt('built')], '', log)).toEqual({
      url: 'built',
      how: 'built',
    })
    expect(await firstThatStarts('NATS', [attempt('given'), attempt('built')], '', log)).toEqual({
      url: 'given',
      how: 'given',
    })
  })
})
