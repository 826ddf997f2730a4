import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `packages/price-file`, or where the package is installed; those that it stands among are siblings. */
const OWN_PACKAGE = join(import.meta.dirname, '..', '..')

/**
 * Options by which Node lets a child read its code and its folder, write to its folder, and start no process or thread.
 * None before Node 25 limits the network; later ones allow the child none.
 * @param folder of the child; a link in it may lead to a file elsewhere
 */
export function permissions(script: string, folder: string): string[] {
  const readable = [folder, ...codeOf(script)].map((path) => `--allow-fs-read=${path}`)
  return ['--permission', ...readable, `--allow-fs-write=${folder}`]
}

/** The package of the script, the packages of this repository, and installed ones. */
function codeOf(script: string): string[] {
  const above = foldersAbove(existsSync(script) ? realpathSync(script) : script)
  const ownPackage = above.find((folder) => existsSync(join(folder, 'package.json'))) ?? dirname(script)
  const shared = above.flatMap((folder) => [join(folder, 'node_modules'), join(folder, 'package.json')])
  return [ownPackage, dirname(OWN_PACKAGE), ...shared]
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}
