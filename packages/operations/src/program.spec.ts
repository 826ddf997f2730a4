import { describe, expect, it } from '@jest/globals'
import { program } from './program.js'
import { runRecorded } from './testing/recorded-command.js'

describe('the command line with the servers', () => {
  it('lists its own commands behind those of the published package', async () => {
    const { code, output } = await runRecorded(['--help'])
    expect(code).toBe(0)
    for (const name of program.commands.keys()) expect(output).toContain(`  ${name}`)
    expect([...program.commands.keys()].slice(-4)).toEqual(['doctor', 'backup', 'restore', 'verify'])
  })

  it('names its version and commit', async () => {
    expect((await runRecorded(['--version'])).output).toMatch(/^partsbus \d+\.\d+\.\d+ \(\w+\)\n$/)
  })

  it.each([
    [['backup'], 'An argument is missing.'],
    [['backup', 'x', '--method', 'tape'], '--method must be mongodump or dump, not "tape".'],
    [['backup', 'x', '--with-key'], '--with-key needs SECRETS_KEY.'],
    [['backup', 'x'], 'No database is named. Set MONGODB_URL, or give --mongodb-url.'],
    [['verify', '/nowhere'], '/nowhere/manifest.json cannot be read (ENOENT): this is no backup.'],
    [['restore', '/nowhere'], '/nowhere/manifest.json cannot be read (ENOENT): this is no backup.'],
  ])('%j is a usage error', async (args, text) => {
    const { code, output, errors } = await runRecorded(args, { STATE_DIR: '/nowhere' })
    expect(errors).toContain(text)
    expect({ code, output }).toEqual({ code: 1, output: '' })
  })
})
