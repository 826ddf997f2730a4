import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fromCache, type Log } from './build-cache.ts'
import { findProgram } from './find-program.ts'
import type { CommandLine } from './parent-death.ts'
import { runStep } from './run-step.ts'

export interface PrometheusPrograms {
  prometheus: string
  promtool: string
}

/**
 * Prometheus and its checker: those on PATH, or else those of Debian's package, unpacked into the cache.
 * @throws StackUnavailable when there are neither
 */
export async function findPrometheus(log: Log): Promise<PrometheusPrograms> {
  const prometheus = findProgram('prometheus')
  const promtool = findProgram('promtool')
  if (prometheus && promtool) return { prometheus, promtool }
  const folder = await unpackedPackage('prometheus', log)
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') }
}

/**
 * Debian's program reads its templates from one place only, where they are put in a mount namespace of the process.
 */
const WITH_TEMPLATES = `
mount -t tmpfs templates /usr/share
mkdir /usr/share/prometheus
cp -r "$1/alertmanager" /usr/share/prometheus
program="$1/prometheus-alertmanager"; shift
exec "$program" "$@"
`

/** Alertmanager, found in the same ways; its arguments follow. */
export async function findAlertmanager(log: Log): Promise<CommandLine> {
  const found = findProgram('alertmanager') ?? findProgram('prometheus-alertmanager')
  if (found) return { command: found, args: [] }
  const folder = await unpackedPackage('prometheus-alertmanager', log, ['usr/bin', 'usr/share/prometheus'])
  const namespace = ['--mount', '--propagation', 'private']
  return { command: 'unshare', args: [...namespace, 'sh', '-ec', WITH_TEMPLATES, 'alertmanager', folder] }
}

/** The contents of some folders of a Debian package, unpacked into the cache. */
function unpackedPackage(name: string, log: Log, folders = ['usr/bin']): Promise<string> {
  return fromCache(name, log, async (target) => {
    log(`unpacking the Debian package ${name}, once`)
    const package_ = join(cacheFolder(), `${name}.deb`)
    rmSync(package_, { recursive: true, force: true })
    mkdirSync(package_, { recursive: true })
    await runStep('apt-get', ['download', '-q', name], { cwd: package_ })
    const [file = ''] = readdirSync(package_)
    const unpacked = join(package_, 'files')
    await runStep('dpkg-deb', ['-x', join(package_, file), unpacked])
    for (const folder of folders) cpSync(join(unpacked, folder), target, { recursive: true })
    rmSync(package_, { recursive: true })
  })
}
