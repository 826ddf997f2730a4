import { runCli } from '@partsbus/cli/run-cli'
import { openTerminal } from '@partsbus/cli/terminal/terminal'
import { program } from './program.js'

const terminal = openTerminal(process.stdout, process.stderr)
process.exitCode = await runCli(process.argv.slice(2), program, { env: process.env, terminal })
