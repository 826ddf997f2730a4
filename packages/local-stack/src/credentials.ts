import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackUnavailable } from './stack-unavailable.ts'

export interface Credentials {
  user: string
  password: string
}

/** The accounts of a local stack: of its database, its bus, and the PostgreSQL behind FerretDB. */
export type StackCredentials = Record<'mongodb' | 'nats' | 'postgres', Credentials>

const USERS = { mongodb: 'partsbus', nats: 'partsbus', postgres: 'postgres' }

/**
 * The accounts in `credentials.json` of the state folder. They are generated once; a folder of a version without
 * passwords receives them at its next start.
 */
export function readOrCreateCredentials(stateDir: string): StackCredentials {
  const file = join(stateDir, 'credentials.json')
  if (existsSync(file)) return readCredentials(stateDir)
  const make = (user: string): Credentials => ({ user, password: randomBytes(24).toString('base64url') })
  const made = { mongodb: make(USERS.mongodb), nats: make(USERS.nats), postgres: make(USERS.postgres) }
  writeFileSync(`${file}.new`, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return made
}

/** @throws StackUnavailable when the file is missing or damaged: new passwords would not open a kept database */
export function readCredentials(stateDir: string): StackCredentials {
  const file = join(stateDir, 'credentials.json')
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<StackCredentials>
    const { mongodb, nats, postgres } = read
    if (mongodb?.password && nats?.password && postgres?.password) return { mongodb, nats, postgres }
  } catch (error) {
    throw new StackUnavailable(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new StackUnavailable(`${file} lacks a password. Restore the file: a kept database may know no other.`)
}

/** `mongodb://partsbus:…@127.0.0.1:27017/`. A generated password has no character that a URL would escape. */
export function urlWithCredentials(
  scheme: string,
  { user, password }: Credentials,
  host: string,
  port: number,
): string {
  return `${scheme}://${user}:${password}@${host}:${port}/`
}

/**
 * Makes a folder that only its owner can enter. A folder of somebody else, or one that is shared on purpose (`/tmp`),
 * stays as it is.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(path)
  const isShared = (mode & 0o1000) !== 0
  if (uid === process.getuid?.() && !isShared) chmodSync(path, 0o700)
}

/** The form in which PostgreSQL stores a password, so that no command line and no log contains the password. */
export function scramVerifier(password: string): string {
  const iterations = 4_096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64')
  const server = sign('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}
