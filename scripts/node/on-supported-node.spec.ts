import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { root } from '../prepare.mjs'

const NAME = `node-${process.platform}-${process.arch}`
const manifest = JSON.parse(readFileSync(join(root, 'scripts/node/package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>
}
const version = manifest.optionalDependencies[NAME] ?? ''
/** Says that it is the new Node, and runs the script on this one without asking for a newer one again. */
const NEW_NODE = `#!/bin/sh
echo "new $(basename "$1") $2"
exec "${process.execPath}" "$(dirname "$1")/body.mjs" "$2"
`

let folder: string
const path = (name: string) => join(folder, name)
const cached = () => path(`cache/partsbus/local-stack/${NAME}-${version}`)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-node-'))
  for (const name of ['node', 'start']) mkdirSync(path(`checkout/scripts/${name}`), { recursive: true })
  for (const name of readdirSync(join(root, 'scripts/node')).filter((file) => !file.endsWith('.ts')))
    cpSync(join(root, 'scripts/node', name), path(`checkout/scripts/node/${name}`))
  cpSync(join(root, 'scripts/start/watch-parent.mjs'), path('checkout/scripts/start/watch-parent.mjs'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A checkout that needs this Node, and npm, whose installation runs `install` of the shell in its folder. */
function given({ floor, install, body }: { floor: string; install: string; body: string }): void {
  writeFileSync(path('checkout/package.json'), JSON.stringify({ engines: { node: `^${floor}` } }))
  writeFileSync(path('checkout/scripts/task.mjs'), `import './node/on-supported-node.mjs'\n${body}`)
  writeFileSync(path('checkout/scripts/body.mjs'), body)
  mkdirSync(path('bin'))
  writeFileSync(path('bin/npm'), `#!/bin/sh\nset -e\necho npm "$1" >&2\n${install}\n`, { mode: 0o755 })
}

const INSTALL = `mkdir -p node_modules/${NAME}/bin
cat > node_modules/${NAME}/bin/node <<'END'
${NEW_NODE}END
chmod +x node_modules/${NAME}/bin/node`

function start(...args: string[]) {
  const child = spawn(process.execPath, [path('checkout/scripts/task.mjs'), ...args], {
    env: {
      PATH: [path('bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      XDG_CACHE_HOME: path('cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }))
  return { child, said, ended }
}

describe('a script on a Node that is too old', () => {
  it('says so in one line, and runs on the one that npm installs once', async () => {
    given({ floor: '99.1.0', install: INSTALL, body: 'process.exit(process.argv[2] === "all" ? 3 : 4)' })
    const older =
      `Node ${process.versions.node} is older than 99.1: ` + `running on Node ${version} from the package registry, `
    expect(await start('all').ended).toEqual({
      code: 3,
      signal: null,
      stdout: 'new task.mjs all\n',
      stderr: `${older}which is fetched into ${cached()} now\nnpm ci\n`,
    })
    expect((await start('all').ended).stderr).toBe(`${older}kept in ${cached()}\n`)
    expect(readdirSync(dirname(cached()))).toEqual([`${NAME}-${version}`])
    expect(JSON.parse(readFileSync(join(cached(), 'package-lock.json'), 'utf8'))).toMatchObject({
      packages: { [`node_modules/${NAME}`]: { version, integrity: expect.stringMatching(/^sha512-/) } },
    })
  })

  it('gives its programs that Node as well', async () => {
    given({ floor: '99.1.0', install: INSTALL, body: 'console.log(process.env.PATH.split(":")[0])' })
    expect((await start().ended).stdout).toContain(`\n${join(cached(), 'node_modules', NAME, 'bin')}\n`)
  })

  it('passes a signal on, and ends as the script ends', async () => {
    const body = `process.once('SIGTERM', () => { console.log('asked to stop'); process.exit(5) })
      setInterval(() => undefined, 1000)
      console.log('up')`
    given({ floor: '99.1.0', install: INSTALL, body })
    const { child, ended } = start()
    for await (const text of child.stdout) if (String(text).includes('up')) break
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 5, signal: null })
  })

  it('says what to do when npm installs none', async () => {
    given({ floor: '99.1.0', install: 'exit 0', body: 'console.log("never")' })
    const { code, stdout, stderr } = await start().ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      '\nNode could not be installed (npm installed none). Install Node 24, and start this again.\n',
    )
    expect(existsSync(cached())).toBe(false)
  })
})

it('a script on a Node that is new enough runs on it', async () => {
  const [major, minor] = process.versions.node.split('.')
  given({ floor: `${major}.${minor}.0`, install: INSTALL, body: 'console.log(process.execPath)' })
  expect(await start().ended).toMatchObject({ stdout: `${process.execPath}\n`, stderr: '', code: 0 })
})
