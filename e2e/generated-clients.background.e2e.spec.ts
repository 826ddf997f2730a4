import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { openShop, type Shop } from './testing/shop.js'

/*
 * Clients that others generate from the documents: they compile, and one call of each is answered. The generators are
 * fetched from their registries, so a machine without Java, Python or a registry skips them.
 */

jest.setTimeout(600_000)

const AUDIENCES = ['erp', 'partners', 'admin'] as const
const TYPES = 'openapi-typescript@7.13.0'
const PYTHON = ['openapi-python-client==0.29.1', 'ruff==0.17.6']
const GENERATOR = '@openapitools/openapi-generator-cli@2.41.0'

const run = promisify(execFile)
const succeeds = (command: string, ...args: string[]): Promise<boolean> =>
  run(command, args, { cwd: folder, timeout: 300_000 }).then(
    () => true,
    () => false,
  )
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

const folder = mkdtempSync(join(tmpdir(), 'partsbus-clients-'))
const venv = join(folder, 'venv')
let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  for (const audience of AUDIENCES) {
    const document = await fetch(`${shop.product.url}/docs/${audience}.json`)
    writeFileSync(join(folder, `${audience}.json`), await document.text())
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(async () => {
  await shop?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const hasTypes = await succeeds('npx', '-y', TYPES, '--version')
const hasPython =
  (await succeeds('python3', '-m', 'venv', venv)) &&
  (await succeeds(join(venv, 'bin', 'pip'), 'install', '--quiet', ...PYTHON))
const hasGenerator = (await succeeds('java', '-version')) && (await succeeds('npx', '-y', GENERATOR, 'version'))
const runs = (isThere: boolean) => (isThere ? it : it.skip)

/** Compiles the sources of a folder strictly. */
async function compile(name: string): Promise<void> {
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [] }
  writeFileSync(join(folder, name, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const { stdout } = await run(process.execPath, [tsc, '-p', join(folder, name)]).catch((error: unknown) => {
    throw new Error(String((error as { stdout?: string }).stdout ?? error))
  })
  expect(stdout).toBe('')
}

/** Runs a program and returns the JSON that it prints. */
async function answerOf(command: string, args: string[]): Promise<unknown> {
  const { stdout } = await run(command, args, { cwd: folder })
  return JSON.parse(stdout)
}

describe('a client generated from each document compiles, and is answered', () => {
  runs(hasTypes)(`by ${TYPES} (skipped without its registry)`, async () => {
    const name = 'types'
    mkdirSync(join(folder, name))
    for (const audience of AUDIENCES)
      await run('npx', ['-y', TYPES, join(folder, `${audience}.json`), '-o', join(folder, name, `${audience}.ts`)])
    const program = `import type { operations } from './erp.js'
type Pong = operations['ping']['responses'][200]['content']['application/json']
const headers = { authorization: 'Bearer ${shop.erpToken}' }
const pong = (await (await fetch('${shop.product.url}/api/erp/ping', { headers })).json()) as Pong
console.log(JSON.stringify(pong))
`
    writeFileSync(join(folder, name, 'main.ts'), program)
    await compile(name)
    expect(await answerOf(process.execPath, [join(folder, name, 'main.js')])).toEqual({ status: 'ok' })
  })

  runs(hasPython)(`by ${PYTHON[0]} (skipped without Python and its registry)`, async () => {
    const bin = (tool: string): string => join(venv, 'bin', tool)
    for (const audience of AUDIENCES) {
      const args = [
        '--path',
        `${audience}.json`,
        '--output-path',
        `python_${audience}`,
        '--meta',
        'none',
        '--overwrite',
      ]
      const env = { ...process.env, PATH: `${join(venv, 'bin')}:${process.env.PATH}` }
      await run(bin('openapi-python-client'), ['generate', ...args], { cwd: folder, env })
      await run(bin('python'), ['-m', 'compileall', '-q', `python_${audience}`], { cwd: folder })
    }
    const program = `import json
from python_erp import AuthenticatedClient
from python_erp.api.erp import ping
client = AuthenticatedClient(base_url="${shop.product.url}", token="${shop.erpToken}")
print(json.dumps(ping.sync(client=client).to_dict()))
`
    expect(await answerOf(bin('python'), ['-c', program])).toEqual({ status: 'ok' })
  })

  runs(hasGenerator)(`by ${GENERATOR}, typescript-fetch (skipped without Java and its registry)`, async () => {
    for (const audience of AUDIENCES) {
      const options = '--additional-properties=modelPropertyNaming=original,importFileExtension=.js'
      const source = join(folder, `${audience}.json`)
      const args = [
        'generate',
        '-g',
        'typescript-fetch',
        '-i',
        source,
        '-o',
        join(folder, `fetch-${audience}`),
        options,
      ]
      await run('npx', ['-y', GENERATOR, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
      await compile(`fetch-${audience}`)
    }
    const program = `import { Configuration, ERPApi } from './fetch-erp/index.js'
const api = new ERPApi(new Configuration({ basePath: '${shop.product.url}', accessToken: '${shop.erpToken}' }))
console.log(JSON.stringify(await api.ping()))
`
    writeFileSync(join(folder, 'main.js'), program)
    expect(await answerOf(process.execPath, [join(folder, 'main.js')])).toEqual({ status: 'ok' })
  })
})
