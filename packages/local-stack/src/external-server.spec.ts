import { describe, expect, it } from '@jest/globals'
import { parseHosts, waitForExternalServer } from './external-server.ts'

describe('parseHosts', () => {
  it.each([
    ['mongodb://127.0.0.1:27018/', [{ host: '127.0.0.1', port: 27018 }]],
    ['mongodb://user:p%40ss@db.example/app?replicaSet=rs0', [{ host: 'db.example', port: 27017 }]],
    [
      'mongodb://a:1,b:2/x',
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    ],
    ['mongodb://[::1]:27017', [{ host: '::1', port: 27017 }]],
    ['mongodb+srv://cluster.example/', []],
    [
      'nats://a:4222,nats://token@b:4223',
      [
        { host: 'a', port: 4222 },
        { host: 'b', port: 4223 },
      ],
    ],
  ])('%s', (url, hosts) => {
    expect(parseHosts(url, 27017)).toEqual(hosts)
  })
})

it('names the variable of an external server that does not answer', async () => {
  await expect(waitForExternalServer('MONGODB_URL', 'mongodb://127.0.0.1:1/', 27017, 100)).rejects.toThrow(
    'MONGODB_URL is set, but no server accepts connections at 127.0.0.1:1.',
  )
})
