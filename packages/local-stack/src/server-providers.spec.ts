import { afterEach, describe, expect, it } from '@jest/globals'
import { startFirstAvailable, type Attempt, type Provider } from './server-providers.ts'

const log = () => undefined

function attempt(
  provider: Provider,
  outcome: { unavailableReason?: string; error?: string } = {},
): Attempt<{ url: string }> {
  return {
    provider,
    what: `the ${provider} one`,
    unavailableReason: () => outcome.unavailableReason,
    start: async () => {
      if (outcome.error !== undefined) throw new Error(outcome.error)
      return { url: provider }
    },
  }
}

describe('startFirstAvailable', () => {
  afterEach(() => {
    delete process.env.LOCAL_STACK
  })

  it('returns the first server that starts, and its provider', async () => {
    const attempts = [
      attempt('external', { unavailableReason: 'not set' }),
      attempt('docker', { error: 'no image' }),
      attempt('path'),
      attempt('built'),
    ]
    expect(await startFirstAvailable('MongoDB', attempts, 'advice', log)).toEqual({ url: 'path', how: 'path' })
  })

  it('reports why each provider failed, and what to do', async () => {
    const attempts = [attempt('external', { unavailableReason: 'not set' }), attempt('docker', { error: 'no image' })]
    await expect(startFirstAvailable('MongoDB', attempts, 'Start Docker.', log)).rejects.toThrow(
      'No MongoDB is available. Tried:\n- the external one: not set\n- the docker one: no image\nStart Docker.',
    )
  })

  it('does not replace an external server that does not answer', async () => {
    await expect(
      startFirstAvailable('MongoDB', [attempt('external', { error: 'nothing answers' }), attempt('built')], '', log),
    ).rejects.toThrow('nothing answers')
  })

  it('is limited by LOCAL_STACK to one provider and an external URL', async () => {
    process.env.LOCAL_STACK = 'built'
    expect(await startFirstAvailable('NATS', [attempt('docker'), attempt('built')], '', log)).toEqual({
      url: 'built',
      how: 'built',
    })
    expect(await startFirstAvailable('NATS', [attempt('external'), attempt('built')], '', log)).toEqual({
      url: 'external',
      how: 'external',
    })
  })
})
