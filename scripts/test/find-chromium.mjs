// @ts-check
/**
 * The Chromium of the scenarios of the pages: CHROMIUM_PATH, else one on the PATH, else installed once by the package
 * manager of Debian and Ubuntu, which only root may do, else one of the package registry, kept in the cache folder.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { provideRegistryChromium } from './registry-chromium.mjs'

/** The headless shell does the same with a fifth less processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Without these a closed network sees many refused connections of the browser itself. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const LOCK = '/var/lock/partsbus-chromium.lock'
const INSTALL_TIMEOUT_MS = 300_000
export const HOW_TO_GET =
  'Install Chromium, or name one by CHROMIUM_PATH: on Debian `apt-get install chromium-headless-shell`.'

/** @param {NodeJS.ProcessEnv} env @returns {string | undefined} */
export function findChromium(env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  return (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isProgram)
}

/** Names Chromium to the specs by CHROMIUM_PATH, which is empty where there is none. @returns {boolean} there is one */
export function provideChromium() {
  const print = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`)
  process.env.CHROMIUM_PATH = findOrInstallChromium(print) ?? ''
  if (process.env.CHROMIUM_PATH === '') print(`The scenarios of the pages are skipped. ${HOW_TO_GET}`)
  return process.env.CHROMIUM_PATH !== ''
}

/** @param {(text: string) => void} print @returns {string | undefined} */
export function findOrInstallChromium(print) {
  return findChromium(process.env) ?? installChromium(print) ?? provideRegistryChromium(print)
}

/** @param {(text: string) => void} print @returns {string | undefined} */
function installChromium(print) {
  if (process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get')) return undefined
  print('Installing Chromium for the scenarios of the pages …')
  // two runs at once wait for each other
  const installed = NAMES.slice(0, 2).map((name) => `command -v ${name}`)
  const install = NAMES.slice(0, 2).map((name) => `apt-get install -y -qq ${name} fonts-liberation`)
  spawnSync('flock', [LOCK, 'sh', '-c', `${installed.join('||')}||(apt-get update -qq&&(${install.join('||')}))`], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: INSTALL_TIMEOUT_MS,
  })
  return findChromium(process.env)
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
