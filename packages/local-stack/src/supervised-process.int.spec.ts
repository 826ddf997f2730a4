import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { SupervisedProcess, type ProcessPlan } from './supervised-process.ts'
import { waitUntil } from './wait-until.ts'

describe('SupervisedProcess', () => {
  let folder: string
  let started: SupervisedProcess[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'partsbus-supervised-'))
    started = []
  })
  afterEach(async () => {
    await Promise.all(started.map((process) => process.stop()))
    rmSync(folder, { recursive: true })
  })

  function shell(script: string, plan: Partial<ProcessPlan> = {}): SupervisedProcess {
    const process = new SupervisedProcess({
      name: 'worker',
      command: 'sh',
      args: ['-c', script],
      cwd: folder,
      logFile: join(folder, 'worker.log'),
      isReady: async () => existsSync(join(folder, 'ready')),
      ...plan,
    })
    started.push(process)
    return process
  }

  it('is restarted as a new process when it is killed', async () => {
    const worker = shell('touch ready; exec sleep 60')
    await worker.start()
    const first = worker.pid
    rmSync(join(folder, 'ready'))
    await worker.kill()
    expect(await worker.whenUp(60_000)).toBe(true)
    expect(worker.pid).not.toBe(first)
  })

  it('is waited for while it is still starting', async () => {
    let asked = 0
    const worker = shell('while [ ! -e go ]; do sleep 0.05; done; touch ready; exec sleep 60', {
      readyWithinMs: 100,
      isStillStarting: async () => {
        asked += 1
        if (asked === 3) writeFileSync(join(folder, 'go'), '')
        return asked <= 3 || waitUntil(() => existsSync(join(folder, 'ready')), { withinMs: 10_000 })
      },
    })
    await worker.start()
    expect(asked).toBeGreaterThanOrEqual(3)
    expect(worker.isUp).toBe(true)
  })

  it('fails with the end of its log when it dies repeatedly before it was ever up', async () => {
    const worker = shell('echo run >> runs; echo "cannot read the configuration"; exit 3')
    await expect(worker.start()).rejects.toThrow(
      /worker does not start: it ended with code 3, 5 times in a row\.[^]*cannot read the configuration/,
    )
    expect(readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n')).toHaveLength(5)
  })

  it('names a command that does not exist', async () => {
    await expect(shell('', { command: '/no/such/program', args: [] }).start()).rejects.toThrow('worker does not start')
  })

  it('is stopped and reported when it does not become ready in time', async () => {
    const worker = shell('exec sleep 60', { readyWithinMs: 200 })
    await expect(worker.start()).rejects.toThrow('worker was not ready after 0.2 s.')
    expect(worker.pid).toBeUndefined()
  })

  it('is killed when it ignores its stop signal', async () => {
    const worker = shell('trap "" TERM; touch ready; while :; do sleep 0.1; done', { stopWithinMs: 200 })
    await worker.start()
    await worker.stop()
    expect(worker.pid).toBeUndefined()
  })

  it('is not restarted after `kill` without restart', async () => {
    writeFileSync(join(folder, 'ready'), '')
    const worker = shell('echo run >> runs; exec sleep 60')
    await worker.start()
    await worker.killForGood()
    expect(await waitUntil(() => worker.pid !== undefined, { withinMs: 600 })).toBe(false)
  })
})
