import { fromCache, isCached, type Log } from './build-cache.ts'
import { findDebianMirror } from './debian-mirror.ts'
import { findProgram } from './find-program.ts'
import { runStep } from './run-step.ts'
import { StackUnavailable } from './stack-unavailable.ts'

const NAME = 'postgresql-18-documentdb'
const SUITE = 'forky'

/** Why PostgreSQL with the DocumentDB extension is not available here, or undefined. */
export function unavailablePostgresReason(): string | undefined {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (process.getuid?.() !== 0) return 'this needs root'
  if (findProgram('unshare') === undefined || findProgram('chroot') === undefined)
    return 'unshare or chroot is not on PATH'
  if (isCached(NAME)) return undefined
  if (findProgram('apt-get') === undefined) return 'this is not Debian: there is no apt-get'
  if (findDebianMirror() === undefined) return 'the apt sources contain no mirror of Debian (set DEBIAN_MIRROR)'
  return undefined
}

/**
 * A folder with a small Debian, PostgreSQL 18 and the DocumentDB extension, entered by chroot. It is created the first
 * time, in 30 to 60 seconds, and takes 650 MB.
 */
export async function postgresRoot(log: Log): Promise<string> {
  return fromCache(NAME, log, async (target) => {
    const mirror = findDebianMirror()
    if (mirror === undefined)
      throw new StackUnavailable('The apt sources contain no mirror of Debian. Set DEBIAN_MIRROR.')
    await installMmdebstrap(log)
    log(`unpacking PostgreSQL 18 with DocumentDB from ${mirror}, once (650 MB)`)
    // own process and mount namespaces: when this process is killed, all of it ends and no mount is left in the folder
    await runStep('unshare', [
      ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'],
      ...['mmdebstrap', '--variant=essential', '--mode=root', '--format=directory', `--include=${NAME}`],
      ...['--aptopt=Apt::Install-Recommends "false"', '--aptopt=Acquire::Check-Valid-Until "false"'],
      '--aptopt=Acquire::Languages "none"',
      // nobody reads manuals there, and what an interrupted installation left is removed before the next
      ...['doc', 'man', 'info', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      '--dpkgopt=force-unsafe-io',
      ...[SUITE, target, mirror],
    ])
  })
}

async function installMmdebstrap(log: Log): Promise<void> {
  if (findProgram('mmdebstrap') !== undefined) return
  log('installing mmdebstrap with apt-get')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runStep('apt-get', ['update', '-q'], { env })
  await runStep('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'mmdebstrap'], { env })
}
