import { readFileSync } from 'node:fs'
import { commands } from './commands.js'
import { runCli } from './run-cli.js'
import { openTerminal } from './terminal/terminal.js'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const terminal = openTerminal(process.stdout, process.stderr)
process.exitCode = await runCli(
  process.argv.slice(2),
  { version: manifest.version, commands },
  { env: process.env, terminal },
)
