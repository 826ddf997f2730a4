// @ts-check
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runPnpm } from './pack-packages.mjs'

/**
 * Installs tarballs as a stranger does, into a project that knows nothing of this checkout.
 *
 * @param {string} root of the checkout, whose versions of other packages it takes: their files are here already
 * @param {Record<string, string>} tarballs name → file
 * @param {string} folder an empty one, outside of the checkout
 */
export async function installPackages(root, tarballs, folder) {
  cpSync(join(import.meta.dirname, 'consumer'), folder, { recursive: true })
  const own = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [`@partsbus/${name}`, `file:${file}`]))
  const versionOf = versionsIn(root, ['package.json', 'packages/contracts/package.json'])
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: { ...own, zod: versionOf.zod },
    devDependencies: { '@types/node': versionOf['@types/node'] },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  // what one tarball needs of another is that other tarball: this version is in no registry yet
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ packages: ['.'], overrides: own }))
  await runPnpm(['install', '--prefer-offline', '--no-frozen-lockfile', '--ignore-scripts'], folder)
}

/** @param {string} root @param {string[]} manifests @returns {Record<string, string>} */
function versionsIn(root, manifests) {
  return Object.assign(
    {},
    ...manifests.map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')).devDependencies),
  )
}
