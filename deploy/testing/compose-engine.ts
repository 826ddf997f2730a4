import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { makeBundle } from '../../scripts/bundle/make-bundle.mjs'
import { read, readYaml, root } from './checkout.js'
import { compose, type Container, defaultValue, ferretdb } from './compose-file.js'

const run = promisify(execFile)

export interface Inspected {
  Name: string
  State: { Health?: { Status: string }; OOMKilled: boolean; ExitCode: number; Running: boolean }
  RestartCount: number
  HostConfig: { Memory: number; MemorySwap: number; ReadonlyRootfs: boolean; CapDrop: string[] | null }
  Config: { Labels: Record<string, string> }
}

/** A bundle in a folder of its own, started beside any other project on the same host. */
export interface ComposeProject {
  secretsFolder: string
  /** Builds its images from the checkout. */
  build(): Promise<void>
  /** Variables of `.env` for all later commands. */
  set(variables: Record<string, string>): void
  /** `docker compose …` @throws with the end of its output when it fails */
  compose(...args: string[]): Promise<string>
  /** Labels of the image of a service. */
  labels(service: string): Promise<Record<string, string>>
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

/** The image that the Dockerfile begins with, or the one that a variable names. */
function buildImage(variable: string): string {
  return process.env[variable] ?? new RegExp(`^ARG ${variable}=(.*)$`, 'm').exec(read('deploy/Dockerfile'))?.[1] ?? ''
}

/** Which database can be had: MongoDB, or else FerretDB; or why the containers cannot run. */
export function findEngine(): { files: string[] } | { reason: string } {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return { reason: 'there is no docker compose' }
  if (spawnSync('docker', ['info']).status !== 0) return { reason: 'no Docker engine answers' }
  const [nats = ''] = images(['nats'])
  for (const image of [buildImage('NODE_IMAGE'), imageOf(nats)])
    if (!isThere(image)) return { reason: `the image ${image} is neither here nor can it be pulled` }
  if (isThere(imageOf(compose.services.mongo?.image ?? ''))) return { files: ['docker-compose.yml'] }
  const instead = [ferretdb.services.mongo, ferretdb.services.postgres].map((server) => imageOf(server?.image ?? ''))
  if (instead.every(isThere)) return { files: ['docker-compose.yml', 'docker-compose.ferretdb.yml'] }
  return { reason: 'neither the image of MongoDB nor those of FerretDB are here or can be pulled' }
}

/** Nothing runs yet: `build()`, then `compose('up')`. */
export function openProject(files: string[]): ComposeProject {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-compose-'))
  makeBundle(folder, 'localhost/partsbus')
  const made = spawnSync('sh', [join(folder, 'deploy/secrets.sh')], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const name = `partsbus-test-${process.pid}`
  const inFolder = (place: string, names: string[]) => [
    ...['compose', '--project-name', name, '--project-directory', place, '--env-file', '/dev/null'],
    ...names.flatMap((file) => ['--file', join(place, file)]),
  ]
  // ports and a network of its own; the images stay, as a cache of the next run
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: '127.0.0.1:0',
    PARTSBUS_VERSION: 'compose-test',
    COMMIT: 'c0ffee1',
    EDGE_NETWORK: '172.30.252',
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
    secretsFolder: join(folder, 'deploy/secrets'),
    async build() {
      const override = join(folder, 'build-override.yml')
      writeFileSync(override, stringify(buildOverrides()))
      const checkout = inFolder(root, ['docker-compose.yml', 'docker-compose.build.yml'])
      await docker(...checkout, '--file', override, '--profile', 'cli', '--profile', 'backup', 'build')
    },
    set: (variables) => void Object.assign(env, variables),
    compose: (...line) => docker(...inFolder(folder, files), ...line),
    async labels(service) {
      const image = `localhost/partsbus/${service}:${env.PARTSBUS_VERSION}`
      return JSON.parse(await docker('image', 'inspect', '--format', '{{json .Config.Labels}}', image)) as never
    },
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
      const profiles = ['edge', 'backup', 'cli'].flatMap((profile) => ['--profile', profile])
      await project.compose(...profiles, 'down', '--volumes', '--timeout', '60')
      rmSync(folder, { recursive: true })
    },
  }
  return project
}

/**
 * Where the engine's own network reaches no registry, the host's for the build. Where the image of Go cannot be had,
 * the nightly backup uses the command line alone, which is enough for FerretDB.
 */
function buildOverrides(): object {
  const network = process.env.COMPOSE_TEST_BUILD_NETWORK
  const [built] = readYaml<{ services: Record<string, Container> }>('docker-compose.build.yml')
  const names = Object.keys(built?.services ?? {})
  return {
    services: Object.fromEntries(
      names.map((name) => {
        const target = name === 'backup' && !isThere(buildImage('GO_IMAGE')) ? { target: 'cli' } : {}
        return [name, { build: { ...target, ...(network !== undefined && { network }) } }]
      }),
    ),
  }
}
