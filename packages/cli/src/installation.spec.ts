import { afterAll, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayUrl, type ListedProcess } from './installation.js'

const folder = mkdtempSync(join(tmpdir(), 'partsbus-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ended = 2 ** 30
const urlOf = (env: NodeJS.ProcessEnv, processes?: ListedProcess[]): string => {
  writeFileSync(join(folder, 'processes.json'), JSON.stringify(processes ?? []))
  return gatewayUrl({ STATE_DIR: folder, ...env })
}
const running = [
  { name: 'stock', pid: process.pid },
  { name: 'gateway', pid: ended, port: 9070 },
  { name: 'gateway', pid: process.pid, port: 9080 },
]

it('is that of the gateway that runs from the state folder', () => {
  expect(urlOf({}, running)).toBe('http://127.0.0.1:9080')
  expect(urlOf({ PORT: '0' }, running)).toBe('http://127.0.0.1:9080')
})

it('is what the variables say', () => {
  expect(urlOf({ PORT: '9090' }, running)).toBe('http://127.0.0.1:9090')
  expect(urlOf({ PARTSBUS_URL: 'https://parts.example.org/', PORT: '9090' }, running)).toBe('https://parts.example.org')
})

it('is the usual one where nothing runs', () => {
  expect(urlOf({}, [{ name: 'gateway', pid: ended, port: 9070 }])).toBe('http://127.0.0.1:8080')
  expect(gatewayUrl({ STATE_DIR: join(folder, 'none') })).toBe('http://127.0.0.1:8080')
})
