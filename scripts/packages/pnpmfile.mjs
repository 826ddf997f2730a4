// @ts-check
/**
 * Of `pnpm pack` alone: makes the manifest of a tarball. `exports` are those of `publishConfig` already, and versions
 * of the workspace are in the place of `workspace:*`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const { version, engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env

export const hooks = {
  /** @param {Record<string, any>} manifest @param {string} folder */
  beforePacking(manifest, folder) {
    // a package is published as its tarball only
    const { private: _private, devDependencies: _dev, ...published } = manifest
    const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@partsbus/'))
    return {
      ...published,
      version,
      engines: { node: engines.node },
      // a proof of the build names the repository that it ran in
      ...(repository && {
        repository: { type: 'git', url: `git+${server}/${repository}.git`, directory: `packages/${nameOf(folder)}` },
      }),
      ...(manifest.dependencies && {
        dependencies: { ...manifest.dependencies, ...Object.fromEntries(own.map((name) => [name, version])) },
      }),
    }
  },
}

/** @param {string} folder */
function nameOf(folder) {
  return folder.split(/[\\/]/).at(-1)
}
