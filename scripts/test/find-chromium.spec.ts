import { expect, it } from '@jest/globals'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './find-chromium.mjs'

it('prefers CHROMIUM_PATH, then the PATH, and knows when there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-chromium-'))
  const program = join(folder, 'google-chrome')
  writeFileSync(program, '')
  const bare = findChromium({ PATH: folder })
  chmodSync(program, 0o755)
  const found = findChromium({ PATH: `/nowhere:${folder}` })
  const named = findChromium({ PATH: folder, CHROMIUM_PATH: '/opt/chromium' })
  rmSync(folder, { recursive: true })
  expect([bare, found, named]).toEqual([undefined, program, '/opt/chromium'])
})
