import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, fromCache, type Log } from './build-cache.ts'
import { findProgram } from './find-program.ts'
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
  const folder = await fromCache('prometheus', log, async (target) => {
    log('unpacking the Debian package of Prometheus, once')
    const package_ = join(cacheFolder(), 'prometheus.deb')
    rmSync(package_, { recursive: true, force: true })
    mkdirSync(package_, { recursive: true })
    await runStep('apt-get', ['download', '-q', 'prometheus'], { cwd: package_ })
    const [name = ''] = readdirSync(package_)
    const unpacked = join(package_, 'files')
    await runStep('dpkg-deb', ['-x', join(package_, name), unpacked])
    cpSync(join(unpacked, 'usr/bin'), target, { recursive: true })
    rmSync(package_, { recursive: true })
  })
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') }
}
