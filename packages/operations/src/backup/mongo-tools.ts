import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Databases } from './open-databases.js'
import { CommandFailed } from '@partsbus/cli/exit-codes'

export type MongoTool = 'mongodump' | 'mongorestore'

/** The path of a program of the MongoDB Database Tools, or undefined. */
export function findMongoTool(tool: MongoTool, env: NodeJS.ProcessEnv): string | undefined {
  const paths = (env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', tool))
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** @throws CommandFailed when the program is missing */
export function findMongoToolOrThrow(tool: MongoTool, env: NodeJS.ProcessEnv): string {
  const program = findMongoTool(tool, env)
  if (program === undefined)
    throw new CommandFailed(`${tool} is not on PATH. Install the MongoDB Database Tools of your MongoDB.`)
  return program
}

/**
 * `--oplog` copies every database of the server, and a restore would set those of other programs back as well.
 * @throws CommandFailed when there are such databases
 */
export function assertNoOthers(present: readonly string[], own: readonly string[]): void {
  const others = present.filter((name) => !own.includes(name) && !['admin', 'config', 'local'].includes(name))
  if (others.length > 0)
    throw new CommandFailed(
      `The server has databases of other programs, which a restore would set back: ${others.join(', ')}. ` +
        'Use --method dump.',
    )
}

/**
 * Passes the folder of a dump without the users and roles of its server. Restored, they would replace those of the
 * target before the oplog is replayed, among them the one that restores; `--nsExclude` is refused with `--oplogReplay`.
 */
export async function withoutUsers<T>(dump: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-'))
  try {
    for (const name of readdirSync(dump))
      if (name !== 'admin') symlinkSync(join(resolve(dump), name), join(folder, name))
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @throws CommandFailed when the user may not replay an oplog: the data would be gone before it shows */
export async function assertMayReplay(databases: Databases): Promise<void> {
  const [database] = databases.values()
  const { authInfo } = (await database?.db.admin().command({ connectionStatus: 1, showPrivileges: true })) ?? {}
  const { authenticatedUsers = [], authenticatedUserPrivileges = [] } = (authInfo ?? {}) as AuthInfo
  // without access control there is no user
  if (authenticatedUsers.length === 0) return
  const mayAll = authenticatedUserPrivileges.some(
    ({ resource, actions }) => resource.anyResource === true && actions.includes('anyAction'),
  )
  if (!mayAll)
    throw new CommandFailed(
      'The user may not replay an oplog, which needs anyAction on anyResource. Grant it the role `replay` ' +
        '(docs/operate/backup.md#by-hand).',
    )
}

interface AuthInfo {
  authenticatedUsers?: unknown[]
  authenticatedUserPrivileges?: Array<{ resource: { anyResource?: boolean }; actions: string[] }>
}

/**
 * Runs a program of the MongoDB Database Tools. The address, which has a password, is in a file that only the user
 * can read: arguments are visible to all users of the machine.
 * @param onLine each line that it prints
 * @throws CommandFailed with its last lines when it fails
 */
export async function runMongoTool(
  tool: MongoTool,
  { url, args, env }: { url: string; args: readonly string[]; env: NodeJS.ProcessEnv },
  onLine: (line: string) => void,
): Promise<void> {
  const program = findMongoToolOrThrow(tool, env)
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-'))
  try {
    const config = join(folder, 'config.yaml')
    writeFileSync(config, `uri: ${JSON.stringify(url)}\n`, { mode: 0o600 })
    await run(program, [`--config=${config}`, ...args], tool, env, onLine)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(
  program: string,
  args: readonly string[],
  tool: MongoTool,
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = (): void => void child.kill('SIGINT')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const last: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        onLine(line)
        last.push(line)
      }
      last.splice(0, last.length - 5)
    })
  }
  const failure = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`))
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop)
  if (failure !== undefined) throw new CommandFailed([`${tool} failed: ${failure}.`, ...last].join('\n'))
}
