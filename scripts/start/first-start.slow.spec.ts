import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { FERRETDB, unavailableProgramReason } from '@partsbus/local-stack/go-programs'
import { unavailablePostgresReason } from '@partsbus/local-stack/postgres-root'
import { isAlive } from '@partsbus/local-stack/signal-process'
import { waitUntil } from '@partsbus/local-stack/wait-until'
import { root } from '../prepare.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-first-start-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What `npm start` needs of a clone in which nothing is installed and built. */
function cloneCheckout(): string {
  const checkout = join(folder, 'checkout')
  const copy = (path: string, filter?: (path: string) => boolean) =>
    cpSync(join(root, path), join(checkout, path), { recursive: true, filter })
  copy('scripts', (path) => !relative(root, path).includes('node_modules'))
  copy('packages/local-stack/src')
  for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) copy(name)
  for (const kind of ['packages', 'services', 'apps'])
    for (const name of readdirSync(join(root, kind)))
      if (existsSync(join(root, kind, name, 'package.json'))) copy(`${kind}/${name}/package.json`)
  return checkout
}

/** Docker and mongod need packages themselves. */
const canBuild = (unavailablePostgresReason() ?? unavailableProgramReason(FERRETDB)) === undefined

;(canBuild ? it : it.skip)(
  'starts the servers while the packages are installed, and ends the installation when it is stopped',
  async () => {
    const checkout = cloneCheckout()
    const pidFile = join(folder, 'installing')
    mkdirSync(join(folder, 'bin'))
    // an installation that does not end
    writeFileSync(join(folder, 'bin', 'npx'), `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`, { mode: 0o755 })
    const child = spawn(process.execPath, [join(checkout, 'scripts', 'start.mjs')], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        MONGODB_URL: '',
        NATS_URL: '',
        LOCAL_STACK: 'built',
        PORT: '0',
        STATE_DIR: join(folder, 'state'),
        PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    try {
      await waitUntil(() => /^NATS: /m.test(output) && /^MongoDB: /m.test(output), { withinMs: 90_000 })
      expect(output).toMatch(/^The first start installs the packages and builds /)
      expect(output).toContain('Installing dependencies …')
      expect(output).toMatch(/^NATS: /m)
      expect(output).toMatch(/^MongoDB: /m)
      expect(output).not.toContain('installed the dependencies')
      const installing = Number(readFileSync(pidFile, 'utf8'))
      expect(isAlive(installing)).toBe(true)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      expect(await waitUntil(() => !isAlive(installing), { withinMs: 10_000 })).toBe(true)
    } finally {
      child.kill('SIGKILL')
    }
  },
  180_000,
)
