import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fromCache, isCached, type Log } from './build-cache.ts'
import { findProgram } from './find-program.ts'
import { runStep } from './run-step.ts'

interface GoProgram {
  name: string
  module: string
  version: string
}

export const NATS_SERVER: GoProgram = {
  name: 'nats-server',
  module: 'github.com/nats-io/nats-server/v2',
  version: '2.14.9',
}
export const FERRETDB: GoProgram = {
  name: 'ferretdb',
  module: 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb',
  version: '2.7.0',
}

/** Checks the workflows of `.github`; no server, but built and kept like them. */
export const ACTIONLINT: GoProgram = {
  name: 'actionlint',
  module: 'github.com/rhysd/actionlint/cmd/actionlint',
  version: '1.7.12',
}

/** Why the program is neither in the cache nor can be built, or undefined. */
export function unavailableProgramReason(program: GoProgram): string | undefined {
  if (isCached(cacheName(program)) || findProgram('go') !== undefined) return undefined
  return 'Go is not on PATH'
}

/** The path of the program, built by `go install` the first time, in 15 to 60 seconds. */
export async function builtProgram(program: GoProgram, log: Log): Promise<string> {
  return fromCache(cacheName(program), log, async (target) => {
    log(`building ${program.name} ${program.version} with Go, once`)
    const folder = `${target}.bin`
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    // as their authors release them: without C and without tables for debuggers
    const asReleased = { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -ldflags=-s' }
    // a sixth less processor time for the compiler, which takes 1.2 GB instead of 1.1
    const env = { ...process.env, GOBIN: folder, GOGC: '400', ...asReleased }
    await runStep('go', ['install', `${program.module}@v${program.version}`], { env, cwd: cacheFolder() })
    renameSync(join(folder, program.name), target)
    rmSync(folder, { recursive: true })
  })
}

function cacheName(program: GoProgram): string {
  return `${program.name}-${program.version}`
}
