// @ts-check
/**
 * The state folder: whether it is writable and in use, and the two secrets that are generated once and stored in it.
 */
import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BadOption } from './options.mjs'

/** Makes the folder. @param {string} stateDir */
export function openStateFolder(stateDir) {
  const probe = join(stateDir, `.probe-${process.pid}`)
  try {
    makeFolder(stateDir)
    // logs, images, price lists and uploads are for the owner only
    for (const name of ['logs', 'files', 'uploads']) makePrivateFolder(join(stateDir, name))
    accessSync(stateDir, constants.W_OK)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadOption(
      `The state folder ${stateDir} cannot be written (${reason}). Choose another one: STATE_DIR=~/partsbus npm start`,
    )
  }
}

/** @param {string} path */
function makePrivateFolder(path) {
  makeFolder(path)
  chmodSync(path, 0o700)
}

/**
 * Step by step: `recursive` of mkdir never returns where a file system refuses by ENOENT, as /proc does.
 *
 * @param {string} path
 */
function makeFolder(path) {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/**
 * The live process that uses the folder, if any.
 * @param {string} stateDir @returns {number | undefined}
 */
export function fileOwner(stateDir) {
  try {
    const pid = Number(readFileSync(join(stateDir, 'stack.lock'), 'utf8').split(' ')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

/**
 * `ADMIN_TOKEN` and `SECRETS_KEY`: from the environment (or the file `…_FILE` names), else kept in the folder, else
 * made.
 * @param {NodeJS.ProcessEnv} env @param {string} stateDir
 */
export function readSecrets(env, stateDir) {
  return {
    adminToken:
      given(env, 'ADMIN_TOKEN') ??
      readOrCreate(join(stateDir, 'admin-token'), () => randomBytes(24).toString('base64url')),
    secretsKey:
      given(env, 'SECRETS_KEY') ??
      readOrCreate(join(stateDir, 'secrets-key'), () => randomBytes(32).toString('base64')),
  }
}

/** @param {NodeJS.ProcessEnv} env @param {string} name */
function given(env, name) {
  const file = env[`${name}_FILE`]
  if (!file) return env[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new BadOption(`${name}_FILE names ${file}, which cannot be read.`)
  }
}

/** @param {string} file @param {() => string} make */
function readOrCreate(file, make) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    const secret = make()
    writeFileSync(file, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}
