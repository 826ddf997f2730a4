import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'

const script = join(dirname(fileURLToPath(import.meta.url)), 'replica-set.sh')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-replica-set-'))
  // writes down what it is asked for, a call in a line
  writeFileSync(
    join(folder, 'docker'),
    `#!/bin/sh\necho "$@" | tr '\\n' ' ' >> ${folder}/calls\necho >> ${folder}/calls\n`,
  )
  chmodSync(join(folder, 'docker'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  const done = spawnSync('sh', [script, ...args], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}` },
  })
  return { ...done, calls: readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') }
}

describe('scripts/test/replica-set.sh', () => {
  it('starts three members, and prints the variables of the specs', () => {
    const { status, stdout, calls } = run('up')
    expect(status).toBe(0)
    const started = calls.filter((call) => call.startsWith('run '))
    expect(started.map((call) => /--name (\S+) .* --port (\d+) /.exec(call)?.slice(1))).toEqual([
      ['partsbus-set-27101', '27101'],
      ['partsbus-set-27102', '27102'],
      ['partsbus-set-27103', '27103'],
    ])
    for (const call of started) expect(call).toMatch(/--keyFile \/tmp\/key\s+--setParameter enableTestCommands=1/)
    const members = [1, 2, 3].map((at) => `{ _id: ${at}, host: '127.0.0.1:2710${at}' },`).join('')
    expect(calls.join('\n')).toContain(`rs.initiate({ _id: 'partsbus', members: [${members}] })`)
    const hosts = '127.0.0.1:27101,127.0.0.1:27102,127.0.0.1:27103'
    expect(stdout).toMatch(
      new RegExp(
        `^MONGODB_REPLICA_SET_URL=mongodb://root:[0-9a-f]{48}@${hosts}/\\?replicaSet=partsbus&authSource=admin\n` +
          `MONGODB_REPLICA_SET_SIGNAL=${script}\n$`,
      ),
    )
  })

  it.each([
    ['KILL', 'kill --signal KILL partsbus-set-27102'],
    ['STOP', 'kill --signal STOP partsbus-set-27102'],
    ['CONT', 'kill --signal CONT partsbus-set-27102'],
    ['START', 'start partsbus-set-27102'],
  ])('sends %s to a member by its address', (signal, call) => {
    expect(run(signal, '127.0.0.1:27102')).toMatchObject({ status: 0, calls: [call] })
  })
})
