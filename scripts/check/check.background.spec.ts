import { afterAll, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A small house with our own configuration in it, and what the command says of it. */
function check(step: string, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'partsbus-check-'))
  folders.push(root)
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  for (const path of [
    'scripts/check.mjs',
    'scripts/check',
    'scripts/node',
    'scripts/start/watch-parent.mjs',
    '.oxlintrc.json',
    '.dependency-cruiser.mjs',
    'tsconfig.base.json',
    'tsconfig.test.json',
    '.gitignore',
  ]) {
    cpSync(join(checkout, path), join(root, path), { recursive: true, filter: (from) => !from.endsWith('.spec.ts') })
  }
  const house = {
    'package.json': JSON.stringify({
      name: 'house',
      private: true,
      type: 'module',
      scripts: { check: 'node scripts/check.mjs' },
    }),
    'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'services/stock' }] }),
    'services/stock/package.json': JSON.stringify({ name: '@partsbus/stock', type: 'module', private: true }),
    'services/stock/tsconfig.json': JSON.stringify({
      extends: '../../tsconfig.base.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist' },
      include: ['src'],
      exclude: ['src/**/*.spec.ts'],
    }),
    'services/stock/src/main.ts': `import { parts } from './parts.js'\nprocess.title = parts.join()\n`,
    'services/stock/src/parts.ts': `export const parts = ['bolt']\n`,
    'knip.json': JSON.stringify({
      workspaces: {
        '.': { entry: ['scripts/*.mjs'], project: ['e2e/**/*.ts'] },
        'services/*': { entry: ['src/main.ts'], project: ['src/**/*.ts'] },
      },
    }),
    ...files,
  }
  for (const [path, text] of Object.entries(house)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  spawnSync('git', ['init', '-q'], { cwd: root })
  const run = spawnSync(process.execPath, ['scripts/check.mjs', step], { cwd: root, encoding: 'utf8' })
  return { status: run.status, said: run.stdout + run.stderr }
}

const MAIN = 'services/stock/src/main.ts'
const SPEC = 'services/stock/src/parts.spec.ts'
const XML_TEXT = 'packages/price-file/src/xlsx/xml-text.ts'

describe('npm run check', () => {
  it.each([
    ['rules', { [MAIN]: `export class PartManager {}\n` }, [`${MAIN}:1`, 'vague-name']],
    ['imports', { [MAIN]: `import { a } from '@partsbus/catalog/slug'\na()\n` }, [MAIN, 'service-imports-service']],
    ['lint', { [MAIN]: 'process.exitCode = 1\n'.repeat(301) }, [MAIN, 'max-lines']],
    [
      'lint',
      { 'services/stock/src/Main.ts': `process.exitCode = 1\n` },
      ['services/stock/src/Main.ts', 'filename-case'],
    ],
    ['lint', { [MAIN]: `export const a = (b: any) => b\n` }, [`${MAIN}:1`, 'no-explicit-any']],
    ['lint', { [MAIN]: `const a = 1\nconsole.log(1 == 2)\n` }, ['no-unused-vars', 'no-console', 'eqeqeq']],
    ['lint', { 'scripts/start.mjs': `console.log(1 == 2)\n` }, ['scripts/start.mjs:1', 'eqeqeq']],
    [
      'patterns',
      { [MAIN]: 'import { parts } from "./parts.js"\n// é\nparts.filter((part) => /\\s+$/.test(part))\n' },
      [`${MAIN}:3`, 'slow-pattern', String.raw`/\s+$/`],
    ],
    [
      'patterns',
      { [MAIN]: "const blanks = String.raw`\\s*`\nprocess.title.match(new RegExp(`${blanks}$`, 'u'))\n" },
      [`${MAIN}:2`, 'slow-pattern', String.raw`/\s*$/u`],
    ],
    ['patterns', { [MAIN]: 'RegExp(process.title)\n' }, [`${MAIN}:1`, 'unknown-pattern']],
    [
      'patterns',
      // described otherwise
      { [XML_TEXT]: 'export const of = (tag: string) => [`<${tag}>`, RegExp(`${tag}\\\\s*$`), RegExp(`<${tag}>`)]\n' },
      [`${XML_TEXT}:1`, 'unknown-pattern'],
    ],
    ['types', { [MAIN]: `export const a: string = 1\n` }, [MAIN, 'TS2322']],
    ['types', { [SPEC]: `export const a: string = 1\n` }, [SPEC, 'TS2322']],
    ['unused', { 'services/stock/src/lonely.ts': `export const a = 1\n` }, ['services/stock/src/lonely.ts']],
    [
      'unused',
      { 'services/stock/src/parts.ts': `export const parts = ['bolt']\nexport const wheels = 4\n` },
      ['wheels', 'services/stock/src/parts.ts'],
    ],
  ] as [string, Record<string, string>, string[]][])('%s fails on %j', (step, files, words) => {
    const { status, said } = check(step, files)
    for (const word of words) expect(said).toContain(word)
    expect(said).toContain(`FAILED ${step}`)
    expect(status).toBe(1)
  })

  it.each(['rules', 'imports', 'patterns', 'lint', 'types', 'unused'])('%s passes a clean house', (step) => {
    expect(check(step, {})).toEqual({ status: 0, said: expect.stringMatching(new RegExp(`^ok +${step} `)) })
  })

  it('refuses a step it does not know', () => {
    expect(check('spelling', {})).toMatchObject({ status: 2 })
  })
})
