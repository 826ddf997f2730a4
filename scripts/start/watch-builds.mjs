// @ts-check
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** The compiler writes the files of one build within this time. */
const QUIET_MS = 300
/** Packages that no service loads. */
const FOR_DEVELOPMENT = ['packages/local-stack', 'packages/test-kit']

/**
 * Rebuilds at each change of a source file and restarts the services whose code changed: one for a change in its own
 * folder, all of them for a change in a package.
 * @param {object} setup
 * @param {string} setup.root
 * @param {import('@partsbus/local-stack/supervised-process').SupervisedProcess[]} setup.services
 * @param {(line: string) => void} setup.print
 * @returns {Promise<() => void>} ends it
 */
export async function watchBuilds({ root, services, print }) {
  const { killedWithParent, watchChild } = await import('@partsbus/local-stack/parent-death')
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const line = killedWithParent({ command: tsc, args: ['-b', '--watch', '--preserveWatchOutput'] })
  const compiler = spawn(line.command, line.args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  watchChild(compiler)
  /** @type {Set<string>} */
  const changed = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const restart = () => {
    const folders = [...changed]
    changed.clear()
    const isEvery = folders.some((folder) => folder.startsWith('packages/'))
    const affected = services.filter(({ name }) => isEvery || folders.includes(`services/${name}`))
    print(`${folders.join(', ')} changed: restarting ${[...new Set(affected.map(({ name }) => name))].join(', ')}`)
    for (const service of affected) void service.kill('SIGTERM')
  }
  const watchers = foldersWithBuild(root).map((folder) =>
    watch(join(root, folder, 'dist'), { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.js')) return
      changed.add(folder)
      clearTimeout(timer)
      timer = setTimeout(restart, QUIET_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    compiler.kill()
  }
}

/** @param {string} root @returns {string[]} `services/stock`, `packages/contracts`, … */
function foldersWithBuild(root) {
  return ['packages', 'services']
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`))
    .filter((folder) => !FOR_DEVELOPMENT.includes(folder) && existsSync(join(root, folder, 'dist')))
}
