// @ts-check
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseDocument } from 'yaml'

/** Files of Compose, each with the folder that its paths are relative to. */
const COMPOSE_FILES = ['docker-compose.yml', 'docker-compose.ferretdb.yml', 'deploy/observability/compose.yaml']
const AUDIENCES = ['admin.json', 'partners.json', 'erp.json']

/**
 * Unpacks the archive of a bundle into an empty folder, makes the secrets and looks whether anything that is mounted or
 * named is missing. Where Compose is installed, it reads the files too.
 * @param {string} archive
 * @param {string} folder
 * @returns {{ problems: string[], notes: string[] }}
 */
export function tryBundle(archive, folder) {
  run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1'])
  copyFileSync(join(folder, '.env.example'), join(folder, '.env'))
  run('sh', [join(folder, 'deploy/secrets.sh')])
  const problems = [
    ...COMPOSE_FILES.flatMap((file) => missingMounts(folder, file)),
    ...unpublishedImages(folder),
    ...AUDIENCES.filter((name) => !hasPaths(join(folder, 'openapi', name))).map(
      (name) => `openapi/${name} has no paths`,
    ),
  ]
  /** @type {string[]} */
  const notes = []
  if (spawnSync('docker', ['compose', 'version']).status !== 0)
    return { problems, notes: ['docker compose is not installed, so it did not read the files'] }
  for (const files of ['docker-compose.yml', 'docker-compose.yml:docker-compose.ferretdb.yml']) {
    const env = { ...process.env, COMPOSE_FILE: files, COMPOSE_PROFILES: 'edge,backup,observability,cli' }
    const read = spawnSync('docker', ['compose', 'config', '--quiet'], { cwd: folder, env, encoding: 'utf8' })
    if (read.status !== 0) problems.push(`docker compose config, ${files}: ${read.stderr.trim()}`)
    else notes.push(`docker compose reads ${files}${read.stderr === '' ? '' : `: ${read.stderr.trim()}`}`)
  }
  return { problems, notes }
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

/** Files and folders that a container mounts, and that are not there. @param {string} folder @param {string} file */
function missingMounts(folder, file) {
  const text = readFileSync(join(folder, file), 'utf8')
  /** @type {Array<{ tag: string, resolve?: (text: string) => string, collection?: 'map' | 'seq' }>} */
  const tags = ['!reset', '!override'].flatMap((tag) => [
    { tag, resolve: (/** @type {string} */ each) => each },
    { tag, collection: 'map' },
    { tag, collection: 'seq' },
  ])
  // @ts-expect-error a tag of a collection needs no resolve
  const { services = {}, secrets = {} } = parseDocument(text, { merge: true, customTags: tags }).toJS()
  /** @type {string[]} */
  const mounted = [
    ...Object.values(services).flatMap(({ volumes = [] }) => volumes || []),
    ...Object.values(secrets).map((secret) => secret.file),
  ]
  return mounted
    .map((each) => String(each).split(':')[0] ?? '')
    .filter((from) => /^\.{1,2}\//.test(from) && !existsSync(join(folder, dirname(file), from)))
    .map((from) => `${file} mounts ${from}, which is missing`)
}

/** Images that only a checkout has. @param {string} folder */
function unpublishedImages(folder) {
  const files = ['docker-compose.yml', ...readdirSync(join(folder, 'kubernetes')).map((name) => `kubernetes/${name}`)]
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/image: .*(localhost\/partsbus|\spartsbus\/|:-local\}).*/g)].map(
      ([line]) => `${file} names an image that is published nowhere: ${line}`,
    )
  })
}

/** @param {string} file */
function hasPaths(file) {
  return existsSync(file) && Object.keys(JSON.parse(readFileSync(file, 'utf8')).paths).length > 3
}
