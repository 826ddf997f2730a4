import { runCli } from './run-cli.js'
import { openTerminal } from './terminal/terminal.js'

const terminal = openTerminal(process.stdout, process.stderr)
process.exitCode = await runCli(process.argv.slice(2), { env: process.env, terminal })
