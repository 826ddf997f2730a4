import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Lets every Node process of the product write down, as it ends, which modules it had loaded.
 */
export interface ModuleReport {
  /** to be passed to the product */
  env: NodeJS.ProcessEnv
  /** by the path of the script: the URLs of what it had loaded; to be read after the product was stopped */
  read(): Map<string, string[]>
}

/** Runs in each process before its first module. */
const hook = `
import { registerHooks } from 'node:module'
import { writeFileSync } from 'node:fs'
const modules = []
registerHooks({ load: (url, context, next) => (modules.push(url), next(url, context)) })
process.on('exit', () => {
  const report = { script: process.argv[1], modules }
  writeFileSync(process.env.MODULE_REPORT + '/' + process.pid + '.json', JSON.stringify(report))
})`

export function reportModules(): ModuleReport {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-modules-'))
  return {
    env: { MODULE_REPORT: folder, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    read: () =>
      new Map(
        readdirSync(folder).map((name) => {
          const { script, modules } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
            script: string
            modules: string[]
          }
          return [script, modules]
        }),
      ),
  }
}
