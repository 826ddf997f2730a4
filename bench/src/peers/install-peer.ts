import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fromCache, type Log } from '@partsbus/local-stack/build-cache'
import { runStep } from '@partsbus/local-stack/run-step'

/** For peers that do not run on the Node of this process. */
const NODE_VERSION = '22.23.3'

export interface InstalledPeer {
  /** With the peer's node_modules. */
  folder: string
  /** The Node that runs it, and the environment for it. */
  node: string
  env: NodeJS.ProcessEnv
  /** Of the files from which it was installed; part of the names of its databases. */
  hash: string
}

/** `bench/peers/NAME`: the versions of a peer, and its settings. */
export const peerSource = (name: string): string => join(import.meta.dirname, '..', '..', 'peers', name)

/** @returns the exact version of a direct dependency of the peer */
export function peerVersion(name: string, dependency: string): string {
  const manifest = JSON.parse(readFileSync(join(peerSource(name), 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return manifest.dependencies[dependency] ?? ''
}

export interface Installation {
  /** The only major version of Node that the peer runs on. */
  node?: number
  /** Dependencies that come without a compiled form. */
  compile?: string[]
}

/**
 * Copies `bench/peers/NAME` into the cache and installs its dependencies there, once for each state of its files.
 * Scripts of dependencies do not run, apart from the compilation of those named.
 */
export async function installPeer(
  name: string,
  log: Log,
  { node, compile }: Installation = {},
): Promise<InstalledPeer> {
  const isOwnNode = node === undefined || process.versions.node.startsWith(`${node}.`)
  const nodeFolder = isOwnNode ? undefined : await provideNode(log)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    ...(nodeFolder !== undefined && {
      PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
      // native modules are compiled for the Node that will load them
      npm_config_nodedir: nodeFolder,
    }),
  }
  const source = peerSource(name)
  const hash = hashFolder(source, nodeFolder ?? process.versions.modules)
  const folder = await fromCache(`peer-${name}-${hash}`, log, async (target) => {
    cpSync(source, target, { recursive: true })
    const quietly = ['--no-audit', '--no-fund', '--loglevel=error']
    await runStep('npm', ['install', '--ignore-scripts', ...quietly], { cwd: target, env })
    for (const dependency of compile ?? [])
      await runStep('npm', ['rebuild', '--build-from-source', ...quietly, dependency], { cwd: target, env })
  })
  return { folder, node: isOwnNode ? process.execPath : join(nodeFolder ?? '', 'bin', 'node'), env, hash }
}

/** Another Node from the npm registry. @returns its folder, with bin and include */
async function provideNode(log: Log): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = await fromCache(`${name}-${NODE_VERSION}`, log, async (target) => {
    await mkdir(target)
    await writeFile(join(target, 'package.json'), '{ "private": true }\n')
    await runStep('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${NODE_VERSION}`], {
      cwd: target,
    })
  })
  return join(folder, 'node_modules', name)
}

function hashFolder(folder: string, node: string): string {
  const hash = createHash('sha256').update(node)
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}
