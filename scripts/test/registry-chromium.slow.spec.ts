import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { chromium } from 'playwright-core'
import { root } from '../prepare.mjs'
import { CHROMIUM_FLAGS } from './find-chromium.mjs'

const isFor = process.platform === 'linux' && process.arch === 'x64'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-chromium-'))
  mkdirSync(join(folder, 'bin'))
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()
  const programs = { node: process.execPath, npm: realpathSync(npm), sh: '/bin/sh', env: '/usr/bin/env' }
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(folder, 'bin', name))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Asks for Chromium as a user who may install nothing, on a machine that has none. */
function provide() {
  const script = `
    process.getuid = () => 1000
    const { provideChromium } = await import('${join(root, 'scripts/test/find-chromium.mjs')}')
    provideChromium()
    console.log(process.env.CHROMIUM_PATH)`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, CHROMIUM_PATH: '', PATH: join(folder, 'bin'), XDG_CACHE_HOME: folder },
    encoding: 'utf8',
  })
}

;(isFor ? it : it.skip)('Chromium of the package registry is fetched once, and shows a page', async () => {
  const first = provide()
  expect(first.stderr).toMatch(/^Fetching Chromium [\d.]+ from the package registry/)
  expect(provide()).toMatchObject({ stdout: first.stdout, stderr: '' })
  expect(readdirSync(join(folder, 'partsbus', 'local-stack'))).toHaveLength(1)

  const browser = await chromium.launch({ executablePath: first.stdout.trim(), args: CHROMIUM_FLAGS })
  const page = await browser.newPage()
  await page.setContent('<h1>Каталог</h1>')
  const box = await page.locator('h1').boundingBox()
  await browser.close()
  expect(box?.height).toBeGreaterThan(20)
})
