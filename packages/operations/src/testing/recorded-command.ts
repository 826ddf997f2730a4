import { type Recorded, runRecorded as runRecordedBy } from '@partsbus/cli/testing/recorded-terminal'
import { program } from '../program.js'

/** Runs a command line in this process, and records what it writes. */
export const runRecorded = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Recorded> =>
  runRecordedBy(args, env, program)
