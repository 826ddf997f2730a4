// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const FOLDER = '.github/workflows'
/** A commit, and the version that it is, which Renovate reads and writes. */
const PINNED = /^\s*(?:- )?uses: [\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+(\.\d+)*$/
const LOCAL = /^\s*(?:- )?uses: \.\//

/**
 * The workflows of a checkout: what actionlint says, and what it does not look at. @param {string} root
 * @returns {Promise<string[]>} complaints
 */
export async function checkWorkflows(root) {
  const folder = join(root, FOLDER)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).map((name) => join(FOLDER, name))
  const { scripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const known = { scripts: Object.keys(scripts), isFile: (/** @type {string} */ path) => existsSync(join(root, path)) }
  const own = files.flatMap((path) => checkWorkflow(path, readFileSync(join(root, path), 'utf8'), known))
  return [...own, ...(await runActionlint(root, files))]
}

/**
 * @param {string} path
 * @param {string} text
 * @param {{ scripts: string[], isFile: (path: string) => boolean }} known of the root package and the checkout
 * @returns {string[]} complaints
 */
export function checkWorkflow(path, text, known) {
  const complaints = text.split('\n').flatMap((line, index) => {
    const place = `${path}:${index + 1}`
    const loose = /^\s*(?:- )?uses:/.test(line) && !PINNED.test(line) && !LOCAL.test(line)
    const unknown = [...line.matchAll(/\bnpm (?:run(?: -s| --silent)? ([\w:-]+)|(test)\b)/g)]
      .map(([, script, test]) => script ?? test ?? '')
      .filter((script) => !known.scripts.includes(script))
    const missing = [...line.matchAll(/\b(?:node|sh) ((?:deploy|docs|scripts)\/[\w./-]+)/g)]
      .map(([, file = '']) => file)
      .filter((file) => !known.isFile(file))
    return [
      ...(loose ? [`${place}  action-pinned  name the commit, and the version behind it: @0123… # v1.2.3`] : []),
      ...unknown.map((script) => `${place}  known-script  package.json has no script ${script}`),
      ...missing.map((file) => `${place}  known-file  there is no ${file}`),
    ]
  })
  const { permissions, jobs = {} } = parse(text)
  if (typeof permissions !== 'object' || Object.values(permissions).includes('write'))
    complaints.push(`${path}  least-rights  give the workflow read access at most, and more to the job that needs it`)
  for (const [name, job] of Object.entries(jobs))
    if (job.uses === undefined && job['timeout-minutes'] === undefined)
      complaints.push(`${path}  job-ends  the job ${name} has no timeout-minutes`)
  return complaints
}

/** @param {string} root @param {string[]} files @returns {Promise<string[]>} */
async function runActionlint(root, files) {
  const { findProgram } = await import('@partsbus/local-stack/find-program')
  const { ACTIONLINT, builtProgram, unavailableProgramReason } = await import('@partsbus/local-stack/go-programs')
  const reason = unavailableProgramReason(ACTIONLINT)
  const program = reason === undefined ? await builtProgram(ACTIONLINT, console.error) : findProgram('actionlint')
  if (program === undefined) {
    console.log(`workflows: actionlint is not installed, and cannot be built: ${reason}`)
    return []
  }
  // the same on every machine, whether shellcheck is there or not
  const { status, stdout, stderr } = spawnSync(
    program,
    ['-no-color', '-oneline', '-shellcheck=', '-pyflakes=', ...files],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  if (status === 0) return []
  return `${stdout}${stderr}`.split('\n').filter(Boolean)
}
