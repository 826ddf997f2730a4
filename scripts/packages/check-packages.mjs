// @ts-check
/**
 * The check `packages`: packs what is published, looks for mistakes in the manifests and types, and compiles a project
 * in which the tarballs are installed, with the samples of the READMEs. What has passed is not checked again. With a
 * folder as its argument it checks the tarballs that were packed into that.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { installPackages } from './install-packages.mjs'
import { findPackages, packPackages, PUBLISHED } from './pack-packages.mjs'

/** The packages are ES modules: Node loads them by `require`, too, but TypeScript below `nodenext` does not. */
const IGNORED_RESOLUTIONS = ['node10', 'node16-cjs']

/** What the samples of a README do not define. */
const GIVEN = `declare const erpToken: string, b2bToken: string, message: string
declare const products: import('@partsbus/contracts/erp').ProductItem[]`

const root = join(import.meta.dirname, '..', '..')
const PASSED = join(root, 'node_modules', '.cache', 'checked-packages')

const packed = process.argv[2] && resolve(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'partsbus-packages-'))
try {
  const tarballs = packed === undefined ? await packPackages(root, join(folder, 'packed')) : findPackages(packed)
  const wanted = hashOf([...Object.values(tarballs), join(root, 'pnpm-lock.yaml'), ...ownFiles()])
  if (!existsSync(PASSED) || readFileSync(PASSED, 'utf8') !== wanted) {
    const complaints = await check(tarballs)
    for (const complaint of complaints) console.log(complaint)
    if (complaints.length > 0) process.exitCode = 1
    else {
      mkdirSync(dirname(PASSED), { recursive: true })
      writeFileSync(PASSED, wanted)
    }
  }
} catch (error) {
  console.log(/** @type {Error} */ (error).message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {Record<string, string>} tarballs name → file @returns {Promise<string[]>} complaints */
async function check(tarballs) {
  const complaints = []
  for (const file of Object.values(tarballs)) complaints.push(...(await checkTarball(file)))
  const project = join(folder, 'project')
  mkdirSync(project)
  await installPackages(root, tarballs, project)
  for (const name of PUBLISHED) writeFileSync(join(project, `${name}.ts`), samplesOf(name))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  for (const config of ['tsconfig.json', 'tsconfig.bundler.json']) {
    const { status, stdout } = spawnSync(tsc, ['-p', config], { cwd: project, encoding: 'utf8' })
    if (status !== 0) complaints.push(...stdout.split('\n').filter(Boolean))
  }
  return complaints
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

/** The TypeScript of a README as one module. @param {string} name of the package */
function samplesOf(name) {
  const text = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
  const code = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, sample]) => sample).join('\n')
  return `${GIVEN}\n${code}\nexport {}\n`
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
