import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fromCache, type Log } from './build-cache.js'
import { findProgram } from './find-program.js'
import { runStep } from './run-step.js'

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

/** Alertmanager, found in the same ways. Debian has its program under another name. */
export async function findAlertmanager(log: Log): Promise<string> {
  const found = findProgram('alertmanager') ?? findProgram('prometheus-alertmanager')
  return found ?? join(await unpackedPackage('prometheus-alertmanager', log), 'prometheus-alertmanager')
}

/** The folder of the programs of a Debian package, unpacked into the cache. */
function unpackedPackage(name: string, log: Log): Promise<string> {
  return fromCache(name, log, async (target) => {
    log(`unpacking the Debian package ${name}, once`)
    const package_ = join(cacheFolder(), `${name}.deb`)
    rmSync(package_, { recursive: true, force: true })
    mkdirSync(package_, { recursive: true })
    await runStep('apt-get', ['download', '-q', name], { cwd: package_ })
    const [file = ''] = readdirSync(package_)
    const unpacked = join(package_, 'files')
    await runStep('dpkg-deb', ['-x', join(package_, file), unpacked])
    cpSync(join(unpacked, 'usr/bin'), target, { recursive: true })
    rmSync(package_, { recursive: true })
  })
}
