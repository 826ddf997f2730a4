// @ts-check
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { installPackages } from './install-packages.mjs'
import { packPackages } from './pack-packages.mjs'

/** The packages are ES modules: Node loads them by `require`, too, but TypeScript below `nodenext` does not. */
const IGNORED_RESOLUTIONS = ['node10', 'node16-cjs']

/**
 * Packs what is published, looks for mistakes in the manifests and types, and compiles a project in which the tarballs
 * are installed. What has passed is not checked again. @param {string} root @returns {Promise<string[]>} complaints
 */
export async function checkPackages(root) {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-packages-'))
  try {
    const tarballs = await packPackages(root, join(folder, 'packed'))
    const passed = join(root, 'node_modules', '.cache', 'checked-packages')
    const wanted = hashOf([...Object.values(tarballs), join(root, 'pnpm-lock.yaml'), ...ownFiles()])
    if (existsSync(passed) && readFileSync(passed, 'utf8') === wanted) return []
    const complaints = []
    for (const file of Object.values(tarballs)) complaints.push(...(await checkTarball(file)))
    const project = join(folder, 'project')
    mkdirSync(project)
    await installPackages(root, tarballs, project)
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    for (const config of ['tsconfig.json', 'tsconfig.bundler.json']) {
      const { status, stdout } = spawnSync(tsc, ['-p', config], { cwd: project, encoding: 'utf8' })
      if (status !== 0) complaints.push(...stdout.split('\n').filter(Boolean))
    }
    if (complaints.length > 0) return complaints
    mkdirSync(dirname(passed), { recursive: true })
    writeFileSync(passed, wanted)
    return []
  } catch (error) {
    return [/** @type {Error} */ (error).message]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} file @returns {Promise<string[]>} */
async function checkTarball(file) {
  const bytes = readFileSync(file)
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true })
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)))
  const problems = types.types === false ? [] : types.problems
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...problems
      .filter((problem) => !('resolutionKind' in problem && IGNORED_RESOLUTIONS.includes(problem.resolutionKind)))
      .map((problem) => JSON.stringify(problem)),
  ].map((text) => `${basename(file)}: ${text}`)
}

function ownFiles() {
  const entries = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${basename(file)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}
