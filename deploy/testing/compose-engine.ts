import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { root } from './checkout.js'
import { compose, defaultValue, ferretdb, observability } from './compose-file.js'

const run = promisify(execFile)

export interface Inspected {
  Name: string
  State: { Health?: { Status: string }; OOMKilled: boolean; ExitCode: number; Running: boolean }
  RestartCount: number
  HostConfig: { Memory: number; ReadonlyRootfs: boolean; CapDrop: string[] | null }
  Config: { Labels: Record<string, string> }
}

/** The project as it is started by this spec, beside any other on the same host. */
export interface ComposeProject {
  secretsFolder: string
  /** `docker compose …` @throws with the end of its output when it fails */
  compose(...args: string[]): Promise<string>
  inspect(service: string): Promise<Inspected[]>
  /** Containers, volumes and networks of the project. */
  left(): Promise<string[]>
  /** Removes all of them and the secrets. */
  stop(): Promise<void>
}

const images = (names: string[]) =>
  [compose, ferretdb].flatMap(({ services }) =>
    Object.entries(services).flatMap(([name, { image }]) => (names.includes(name) && image ? [image] : [])),
  )
const isThere = (image: string) =>
  spawnSync('docker', ['image', 'inspect', image]).status === 0 ||
  spawnSync('docker', ['pull', '--quiet', image], { timeout: 300_000 }).status === 0
const imageOf = (reference: string) => {
  const variable = /^\$\{(\w+):-/.exec(reference)?.[1] ?? ''
  return process.env[variable] ?? defaultValue(reference)
}

/** Which database can be had: MongoDB, or else FerretDB; or why the containers cannot run. */
export function findEngine(): { files: string[] } | { reason: string } {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return { reason: 'there is no docker compose' }
  if (spawnSync('docker', ['info']).status !== 0) return { reason: 'no Docker engine answers' }
  const [node, nats] = [compose.services.gateway?.build?.args.NODE_IMAGE ?? '', ...images(['nats'])]
  for (const image of [node, nats ?? ''].map(imageOf))
    if (!isThere(image)) return { reason: `the image ${image} is neither here nor can it be pulled` }
  if (isThere(imageOf(compose.services.mongo?.image ?? ''))) return { files: ['docker-compose.yml'] }
  const instead = [ferretdb.services.mongo, ferretdb.services.postgres].map((server) => imageOf(server?.image ?? ''))
  if (instead.every(isThere)) return { files: ['docker-compose.yml', 'docker-compose.ferretdb.yml'] }
  return { reason: 'neither the image of MongoDB nor those of FerretDB are here or can be pulled' }
}

/** Nothing runs yet: `compose('build')`, then `compose('up')`. */
export function openProject(files: string[]): ComposeProject {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-compose-'))
  const secretsFolder = join(folder, 'secrets')
  const made = spawnSync('sh', [join(root, 'deploy/secrets.sh'), secretsFolder], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const name = `partsbus-test-${process.pid}`
  const override = join(folder, 'override.yaml')
  writeFileSync(override, stringify(overrides(secretsFolder)))
  const args = [
    ...['compose', '--project-name', name, '--project-directory', root, '--env-file', '/dev/null'],
    ...[...files.map((file) => join(root, file)), override].flatMap((file) => ['--file', file]),
  ]
  // ports and a network of its own; the images stay, as a cache of the next run
  const env = {
    ...process.env,
    PORT: '127.0.0.1:0',
    PARTSBUS_VERSION: 'compose-test',
    EDGE_NETWORK: '172.30.252',
    TRUSTED_PROXIES: '172.30.252.2',
    EDGE_HTTP_PORT: '127.0.0.1:0',
    EDGE_HTTPS_PORT: '127.0.0.1:0',
  }
  const docker = async (...line: string[]) => {
    const { stdout } = await run('docker', line, { env, maxBuffer: 64 << 20 }).catch((error: unknown) => {
      const { stderr = '', stdout: output = '' } = error as { stderr?: string; stdout?: string }
      throw new Error(`docker ${line.join(' ')}: ${(output + stderr).slice(-4_000)}`)
    })
    return stdout.trim()
  }
  const filter = `label=com.docker.compose.project=${name}`
  const project: ComposeProject = {
    secretsFolder,
    compose: (...line) => docker(...args, ...line),
    async inspect(service) {
      const ids = await project.compose('ps', '--all', '--quiet', service)
      return JSON.parse(await docker('inspect', ...ids.split('\n'))) as Inspected[]
    },
    async left() {
      const lists = await Promise.all([
        docker('ps', '--all', '--filter', filter, '--format', 'container {{.Names}}'),
        docker('volume', 'ls', '--filter', filter, '--format', 'volume {{.Name}}'),
        docker('network', 'ls', '--filter', filter, '--format', 'network {{.Name}}'),
      ])
      return lists.join('\n').split('\n').filter(Boolean)
    },
    async stop() {
      await project.compose('--profile', 'edge', 'down', '--volumes', '--timeout', '60')
      rmSync(folder, { recursive: true })
    },
  }
  return project
}

/** The secrets made for this run, and where the engine's own network reaches no registry, the host's for the build. */
function overrides(secretsFolder: string): object {
  const files = [compose, ferretdb, observability].flatMap(({ secrets }) => Object.entries(secrets))
  const secrets = files.map(([name, { file }]) => [name, { file: join(secretsFolder, basename(file)) }])
  const network = process.env.COMPOSE_TEST_BUILD_NETWORK
  const built = Object.entries(compose.services).filter(([, { build }]) => build !== undefined)
  return {
    secrets: Object.fromEntries(secrets),
    ...(network !== undefined && {
      services: Object.fromEntries(built.map(([name]) => [name, { build: { network } }])),
    }),
  }
}
