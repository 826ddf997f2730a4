import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from '@jest/globals'
import { isAlive } from './signal-process.ts'
import { waitUntil } from './wait-until.ts'

/** Where there is no setpriv (macOS), this is what ends the servers of a killed parent. */
it('the watcher process kills the children of a killed parent', async () => {
  const module = new URL('../dist/parent-death.js', import.meta.url).href
  const script = `
    const { registerWithWatcher } = await import(${JSON.stringify(module)})
    const { spawn } = await import('node:child_process')
    const start = (seconds) => {
      const child = spawn('sleep', [seconds], { detached: true })
      registerWithWatcher(child)
      return child
    }
    const short = start('0')
    const long = start('600')
    short.once('exit', () => console.log(long.pid))
    setInterval(() => undefined, 1_000)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  expect(await waitUntil(() => !isAlive(pid), { withinMs: 60_000 })).toBe(true)
})
