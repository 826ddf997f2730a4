import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { root } from './testing/checkout.js'

const SCRIPT = join(root, 'deploy/backup/nightly.sh')
const DAY_MS = 86_400_000

let place: string
let folder: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'partsbus-nightly-'))
  folder = join(place, 'backups')
  mkdirSync(folder)
})
afterEach(() => rmSync(place, { recursive: true }))

/** A program on the PATH of the script. */
function install(name: string, text: string): void {
  writeFileSync(join(place, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(place, name), 0o755)
}

/** A command line that notes what it is asked, and makes a folder; `sleep` notes the seconds and lets `nights` pass. */
function installPrograms(nights: number, fault = ''): void {
  install('partsbus', `echo "$*" >> "${place}/asked"; ${fault}\n[ "$1" != backup ] || mkdir -p "$2"`)
  install(
    'sleep',
    `echo "$1" >> "${place}/slept"; [ $(wc -l < "${place}/slept") -le ${nights} ] || exec tail -f /dev/null`,
  )
}

const env = () => ({
  PATH: `${place}:${process.env.PATH}`,
  BACKUP_FOLDER: folder,
  BACKUP_FAILED: join(place, 'failed'),
  BACKUP_KEEP_DAYS: '14',
})
const noted = (name: string): string[] =>
  existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8').split('\n').filter(Boolean) : []

/** Runs the script until it sleeps for the last time. */
async function runNights(nights: number, fault?: string): Promise<void> {
  installPrograms(nights, fault)
  const script = spawn('sh', [SCRIPT], { env: env(), stdio: 'ignore' })
  await waitFor(
    async () => noted('slept').length,
    (count) => count > nights,
    20_000,
  )
  script.kill('SIGTERM')
  const [code] = (await once(script, 'exit')) as [number]
  expect(code).toBe(143)
}

/** The folder of a backup of some days ago. */
function makeBackup(days: number): string {
  const at = new Date(Date.now() - days * DAY_MS)
  const name = `partsbus-${at.toISOString().slice(0, 19).replaceAll(':', '')}`
  mkdirSync(join(folder, name))
  utimesSync(join(folder, name), at, at)
  return name
}

describe('deploy/backup/nightly.sh', () => {
  it('makes a backup at once where there is none, and checks it', async () => {
    await runNights(0)
    const [made = ''] = readdirSync(folder)
    expect(made).toMatch(/^partsbus-\d{4}-\d\d-\d\dT\d{6}$/)
    expect(noted('asked')).toEqual([`backup ${join(folder, made)}`, `verify ${join(folder, made)}`])
    expect(existsSync(join(place, 'failed'))).toBe(false)
  })

  it('waits for the time of the day when the newest is of today', async () => {
    makeBackup(0.5)
    await runNights(0)
    expect(noted('asked')).toEqual([])
    const [seconds] = noted('slept').map(Number)
    const due = new Date(Date.now() + (seconds ?? 0) * 1_000)
    const minutes = due.getUTCHours() * 60 + due.getUTCMinutes()
    // by the time that has passed since
    expect(Math.abs(minutes - 120)).toBeLessThanOrEqual(1)
  })

  it('makes one each night, and deletes those that are too old after it', async () => {
    const [old, young] = [makeBackup(15), makeBackup(13)]
    await runNights(1)
    expect(noted('asked').filter((line) => line.startsWith('verify'))).toHaveLength(2)
    expect(readdirSync(folder)).toContain(young)
    expect(readdirSync(folder)).not.toContain(old)
  })

  it.each(['backup', 'verify'])('shows that the last %s failed, and deletes nothing', async (step) => {
    const old = makeBackup(15)
    await runNights(0, `[ "$1" != ${step} ] || exit 1`)
    expect(existsSync(join(place, 'failed'))).toBe(true)
    expect(readdirSync(folder)).toContain(old)
  })

  it('is healthy again after the next one', async () => {
    await runNights(1, `[ $(wc -l < "${place}/asked") -gt 1 ] || exit 1`)
    expect(existsSync(join(place, 'failed'))).toBe(false)
  })

  it('stops the command that runs before it ends', async () => {
    installPrograms(0, `trap 'echo ended >> "${place}/asked"; kill $!; exit 1' TERM; tail -f /dev/null & wait $!`)
    const script = spawn('sh', [SCRIPT], { env: env(), stdio: 'ignore' })
    await waitFor(
      async () => noted('asked'),
      (lines) => lines.length > 0,
      20_000,
    )
    script.kill('SIGTERM')
    await once(script, 'exit')
    expect(noted('asked').at(-1)).toBe('ended')
  })

  it('is the command line when it is given arguments', () => {
    installPrograms(0)
    spawnSync('sh', [SCRIPT, 'restore', '/backup/partsbus-1'], { env: env() })
    expect(noted('asked')).toEqual(['restore /backup/partsbus-1'])
  })

  it.each([
    ['BACKUP_TIME', '2 am'],
    ['BACKUP_TIME', '24:00'],
    ['BACKUP_KEEP_DAYS', '0'],
    ['BACKUP_KEEP_DAYS', 'two'],
  ])('refuses %s=%s', (name, value) => {
    const { status, stderr } = spawnSync('sh', [SCRIPT], { env: { ...env(), [name]: value }, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${name} must be .*: ${value}\n$`))])
  })
})
