import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, it } from '@jest/globals'
import { MAX_PAYLOAD } from './nats-config.ts'
import { startNats } from './start-nats.ts'

describe('startNats', () => {
  it('keeps the content of its streams when it is killed and restarted on its port', async () => {
    const nats = await startNats()
    try {
      const before = await connect({ servers: nats.url })
      const manager = await jetstreamManager(before)
      await manager.streams.add({ name: 'KEPT', subjects: ['kept.>'] })
      for (let n = 1; n <= 3; n++) await jetstream(before).publish('kept.message', `message ${n}`)
      await nats.kill()
      expect(nats.pid()).toBeUndefined()
      await before.close()
      await nats.restart()
      const after = await connect({ servers: nats.url })
      const info = await (await jetstreamManager(after)).streams.info('KEPT')
      expect(info.state.messages).toBe(3)
      await after.close()
    } finally {
      await nats.stop()
    }
  })

  it('accepts messages of the size of the shipped configurations, and additional configuration', async () => {
    const nats = await startNats({ config: 'authorization { user: shop, password: secret }' })
    try {
      await expect(connect({ servers: nats.url, maxReconnectAttempts: 0 })).rejects.toThrow(/authorization/i)
      const connection = await connect({ servers: nats.url, user: 'shop', pass: 'secret' })
      expect(connection.info?.max_payload).toBe(MAX_PAYLOAD)
      await connection.close()
    } finally {
      await nats.stop()
    }
  })
})
