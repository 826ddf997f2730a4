// @ts-check
/**
 * Chromium from the package registry, for a machine where nothing may be installed: the headless shell with the
 * libraries and the font that a bare Linux lacks. The package is made for x64 with glibc, and carries all of it itself.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE, installLocked } from '../node/install-locked.mjs'

const here = join(dirname(fileURLToPath(import.meta.url)), 'chromium')
const NAME = '@sparticuz/chromium'
const PROGRAM = 'headless-shell'

/** The package unpacks into the temporary folder; the libraries are for another system and so are asked for. */
const UNPACK = `
import chromium, { inflate } from '${NAME}'
await chromium.executablePath()
await inflate('node_modules/${NAME}/bin/al2023.tar.br')
`

const START = `#!/bin/sh
here=\${0%/*}
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`

/** The fonts of the machine, and the one of the package: without any, pages crash. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** @param {(text: string) => void} print @returns {string | undefined} the path of the program */
export function provideRegistryChromium(print) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const version = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies[NAME]
  const folder = join(CACHE, `chromium-${version}`)
  const program = join(folder, PROGRAM)
  if (existsSync(program)) return program
  print(`Fetching Chromium ${version} from the package registry into ${folder}, once (70 MB, 210 MB unpacked) …`)
  const reason = installLocked(here, folder, PROGRAM, unpack)
  if (reason === undefined) return program
  print(`There is no Chromium from the package registry (${reason}).`)
  return undefined
}

/** @param {string} target @returns {boolean} whether the program runs here */
function unpack(target) {
  const env = { ...process.env, TMPDIR: target }
  const unpacked = spawnSync(process.execPath, ['--input-type=module', '-e', UNPACK], {
    cwd: target,
    env,
    stdio: ['ignore', 'ignore', 2],
  })
  if (unpacked.status !== 0) return false
  rmSync(join(target, 'node_modules'), { recursive: true })
  writeFileSync(join(target, 'fonts.conf'), FONTS)
  const program = join(target, PROGRAM)
  writeFileSync(program, START, { mode: 0o755 })
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}
