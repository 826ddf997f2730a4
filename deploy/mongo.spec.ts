import { describe, expect, it } from '@jest/globals'
import { runInNewContext } from 'node:vm'
import { databaseUser, read, withDatabase } from './testing/checkout.js'

const secret = (path: string) => {
  const service = /mongodb_url_(.+)$/.exec(path)?.[1]
  return service
    ? `mongodb://${service}:pass%2Fword@mongo:27017/partsbus_${service}?replicaSet=rs0\n`
    : 'root password\n'
}

/** Runs one of the database's scripts with what mongosh gives it. */
function runScript(path: string, shell: { hello?: object[]; status?: () => void }) {
  const done: string[] = []
  const hello = [...(shell.hello ?? [])]
  const db = {
    hello: () => (hello.length > 1 ? hello.shift() : hello[0]),
    getSiblingDB: (name: string) => ({
      auth: (user: string, password: string) => done.push(`auth ${name} ${user} ${password}`),
      createRole: (role: object) => done.push(`${name} role ${JSON.stringify(role)}`),
      grantRolesToUser: (user: string, roles: string[]) => done.push(`${name} grant ${user} ${roles.join(' ')}`),
      createUser: (user: object) => done.push(`${name} ${JSON.stringify(user)}`),
    }),
  }
  const rs = { status: shell.status, initiate: (config: object) => done.push(`initiate ${JSON.stringify(config)}`) }
  const quit = (code: number) => done.push(`exit ${code}`)
  runInNewContext(read(path), { db, rs, quit, URL, require: () => ({ readFileSync: (file: string) => secret(file) }) })
  return done
}

const primary = { setName: 'rs0', isWritablePrimary: true }
const auth = 'auth admin root root password'

describe('deploy/mongo/create-users.js', () => {
  it('gives root the right to replay an oplog, which every dump has then', () => {
    const privileges = [{ resource: { anyResource: true }, actions: ['anyAction'] }]
    expect(runScript('deploy/mongo/create-users.js', {}).slice(0, 2)).toEqual([
      `admin role ${JSON.stringify({ role: 'replay', privileges, roles: [] })}`,
      'admin grant root replay',
    ])
  })

  it('lets the exporter read statistics, and no data of a service', () => {
    const roles = ['clusterMonitor', { role: 'read', db: 'local' }]
    expect(runScript('deploy/mongo/create-users.js', {})[2]).toBe(
      `admin ${JSON.stringify({ user: 'monitor', pwd: 'root password', roles })}`,
    )
  })

  it('lets each service read and write its own database and no other', () => {
    expect(runScript('deploy/mongo/create-users.js', {}).slice(3)).toEqual(
      withDatabase.map(databaseUser).map(
        (service) =>
          `partsbus_${service} ` +
          JSON.stringify({
            user: service,
            pwd: 'pass/word',
            roles: [{ role: 'readWrite', db: `partsbus_${service}` }],
          }),
      ),
    )
  })
})

describe('deploy/mongo/healthy.js', () => {
  it('is healthy as a primary, without signing in', () => {
    expect(runScript('deploy/mongo/healthy.js', { hello: [primary] })).toEqual(['exit 0'])
  })

  it('starts the replica set once the server runs with accounts', () => {
    const status = () => {
      throw Object.assign(new Error('no config'), { codeName: 'NotYetInitialized' })
    }
    const initiate = `initiate ${JSON.stringify({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] })}`
    expect(runScript('deploy/mongo/healthy.js', { hello: [{ isWritablePrimary: false }], status })).toEqual([
      auth,
      initiate,
      'exit 1',
    ])
    expect(runScript('deploy/mongo/healthy.js', { hello: [{ isWritablePrimary: false }, primary], status })).toEqual([
      auth,
      initiate,
      'exit 0',
    ])
  })

  it('is not healthy while the image fills the empty database without a set', () => {
    const status = () => {
      throw Object.assign(new Error('not running with --replSet'), { codeName: 'NoReplicationEnabled' })
    }
    expect(() => runScript('deploy/mongo/healthy.js', { hello: [{ isWritablePrimary: true }], status })).toThrow(
      '--replSet',
    )
  })

  it('waits while the set elects', () => {
    expect(
      runScript('deploy/mongo/healthy.js', {
        hello: [{ setName: 'rs0', isWritablePrimary: false }],
        status: () => undefined,
      }),
    ).toEqual([auth, 'exit 1'])
  })
})
