import { describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platformConfig, readConfig, secretsKey } from './config.js'

const least = { MONGODB_URL: 'mongodb://db/', NATS_URL: 'nats://bus' }

describe('readConfig', () => {
  it('reads the environment with defaults', () => {
    expect(readConfig(platformConfig, least)).toMatchObject({
      ...least,
      MANAGEMENT_PORT: 9_090,
      LOG_LEVEL: 'info',
      MONGODB_POOL_SIZE: 10,
    })
  })

  it('reads any variable from a file, and prefers the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'partsbus-config-'))
    writeFileSync(join(folder, 'password'), 's3cret\n')
    const config = readConfig(platformConfig, {
      ...least,
      NATS_PASSWORD: 'plain',
      NATS_PASSWORD_FILE: join(folder, 'password'),
    })
    rmSync(folder, { recursive: true })
    expect(config.NATS_PASSWORD).toBe('s3cret')
  })

  it('takes an empty file as not set, as an empty value', () => {
    const folder = mkdtempSync(join(tmpdir(), 'partsbus-config-'))
    writeFileSync(join(folder, 'empty'), '\n')
    const config = readConfig(platformConfig, { ...least, NATS_PASSWORD_FILE: join(folder, 'empty'), NATS_CA: '' })
    rmSync(folder, { recursive: true })
    expect([config.NATS_PASSWORD, config.NATS_CA]).toEqual([undefined, undefined])
  })

  it('names every variable that is missing or wrong', () => {
    expect(() => readConfig(platformConfig, { MANAGEMENT_PORT: '99999', MONGODB_URL: '' })).toThrow(
      /MONGODB_URL[^]*NATS_URL[^]*MANAGEMENT_PORT/,
    )
  })

  it('is not put off by foreign variables that end in _FILE', () => {
    expect(readConfig(platformConfig, { ...least, SSL_CERT_FILE: '/nowhere' })).toMatchObject(least)
  })

  it.each([
    ['base64', Buffer.alloc(32, 7).toString('base64')],
    ['hex', Buffer.alloc(32, 7).toString('hex')],
  ])('takes a secrets key in %s', (_, text) => {
    expect(secretsKey.parse(text)).toEqual([Buffer.alloc(32, 7)])
    expect(secretsKey.parse(`${text}, ${text}`)).toHaveLength(2)
  })

  it('refuses a secrets key of another length', () => {
    expect(secretsKey.safeParse('changeme').success).toBe(false)
    expect(secretsKey.safeParse(`${Buffer.alloc(32).toString('hex')},`).success).toBe(false)
  })
})
