import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { databaseUser, read, root, withDatabase } from './testing/checkout.js'
import { compose, defaultValue, ferretdb, observability } from './testing/compose-file.js'
import { makeSecrets } from './testing/secrets.js'

const declaredSecrets = [compose, ferretdb, observability].flatMap(({ secrets }) =>
  Object.values(secrets).map(({ file }) => join('deploy/secrets', basename(file))),
)

describe('deploy/secrets.sh', () => {
  it('creates every secret that compose declares, each unique and long, and keeps them when run again', () => {
    const { folder, remove } = makeSecrets()
    try {
      const contents = () =>
        Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
      const made = contents()
      const declared = [...declaredSecrets.map((file) => basename(file)), 'mongodb_exporter.env']
      expect(Object.keys(made).sort()).toEqual([...new Set(declared)].sort())
      // the bus repeats the passwords of its users, and FerretDB those of MongoDB and of PostgreSQL
      const repeated = [
        'nats_passwords',
        'mongodb_url_root',
        'mongodb_exporter.env',
        'ferretdb_postgresql_url',
        ...withDatabase.map((name) => `ferretdb_url_${databaseUser(name)}`),
      ]
      const empty = Object.keys(made).filter((name) => made[name] === '')
      expect(empty.sort()).toEqual([
        ...['alert_smtp_password', 'alert_telegram_token', 'alert_watchdog_url'],
        ...['s3_access_key_id', 's3_secret_access_key'],
      ])
      const random = Object.values(made)
        .filter((text) => text !== '')
        .map((text) => /[0-9a-f]{64}/.exec(text)?.[0])
      expect(new Set(random).size).toBe(random.length - repeated.length)
      expect(made['secrets_key']).toMatch(/^[0-9a-f]{64}$/)
      spawnSync('sh', [join(root, 'deploy/secrets.sh'), folder])
      expect(contents()).toEqual(made)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    } finally {
      remove()
    }
  })

  it('creates them in a folder that git ignores', () => {
    const ignored = spawnSync('git', ['check-ignore', ...declaredSecrets], { cwd: root, encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
    expect(ignored).toEqual(declaredSecrets)
  })
})

describe('docker-compose.ferretdb.yml', () => {
  it.each(withDatabase)('gives %s the same user and password at a server without a replica set', (service) => {
    const { folder, remove } = makeSecrets()
    try {
      const secret = `ferretdb_url_${databaseUser(service)}`
      expect(ferretdb.services[service]).toEqual({
        environment: { MONGODB_URL_FILE: `/run/secrets/${secret}` },
        secrets: [secret],
      })
      const url = readFileSync(join(folder, `mongodb_url_${databaseUser(service)}`), 'utf8')
      expect(readFileSync(join(folder, secret), 'utf8')).toBe(url.replace('?replicaSet=rs0', ''))
      expect(url).toContain('?replicaSet=rs0')
    } finally {
      remove()
    }
  })

  it('creates the users from the same secrets as MongoDB', () => {
    const script = read('deploy/postgres/create-users.sh')
    const users = withDatabase.map(databaseUser)
    expect(script).toContain(`for service in ${users.join(' ')}; do`)
    for (const user of users) expect(ferretdb.services.postgres?.secrets).toContain(`mongodb_url_${user}`)
  })

  it('limits memory, logs and health checks as docker-compose.yml does', () => {
    const { mongo, postgres } = ferretdb.services
    for (const container of [mongo, postgres]) {
      expect(defaultValue(container?.mem_limit ?? '')).toMatch(/^\d+[mg]$/)
      expect(container?.healthcheck).toMatchObject({ interval: '60s', start_interval: '5s', start_period: '120s' })
    }
    expect(postgres?.logging).toEqual(compose.services.mongo?.logging)
  })
})
