import { expect, it } from '@jest/globals'
import { servicePlans } from './service-plans.mjs'

it('gives each service only the secrets that it reads, wherever they come from', async () => {
  const before = { ...process.env }
  Object.assign(process.env, { ADMIN_TOKEN: 'exported', ADMIN_TOKEN_FILE: '/run/token', SECRETS_KEY: 'exported' })
  try {
    const plans = await servicePlans({
      root: '/checkout',
      stateDir: '/state',
      replicas: {},
      inspect: {},
      gatewayPorts: [8080],
      ownServers: true,
      env: { NATS_URL: 'nats://127.0.0.1:4222' },
      secrets: { ADMIN_TOKEN: 'token', SECRETS_KEY: 'key' },
      findFreePort: () => Promise.resolve(1),
    })
    const secrets = plans.map(({ name, env }) => [name, env?.ADMIN_TOKEN, env?.ADMIN_TOKEN_FILE, env?.SECRETS_KEY])
    expect(secrets.sort()).toEqual([
      ['administration', undefined, undefined, undefined],
      ['catalog', undefined, undefined, undefined],
      ['gateway', 'token', undefined, undefined],
      ['pricing-import', undefined, undefined, 'key'],
      ['stock', undefined, undefined, 'key'],
      ['supplier-search', undefined, undefined, undefined],
    ])
    for (const { env } of plans) expect(env?.NATS_URL).toBe('nats://127.0.0.1:4222')
  } finally {
    for (const name of ['ADMIN_TOKEN', 'ADMIN_TOKEN_FILE', 'SECRETS_KEY']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
})
