import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ACTIONLINT, unavailableProgramReason } from '@partsbus/local-stack/go-programs'
import { FILES, GOOD, PATH, SCRIPTS } from './workflow-sample.js'
import { checkWorkflows } from './workflows.mjs'

const reason = unavailableProgramReason(ACTIONLINT)
;(reason === undefined ? describe : describe.skip)(
  `the check of workflows${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    let root: string
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'partsbus-workflows-'))
      write('package.json', JSON.stringify({ scripts: Object.fromEntries(SCRIPTS.map((name) => [name, 'x'])) }))
      for (const path of FILES) write(path, '')
    })
    afterEach(() => rmSync(root, { recursive: true }))

    function write(path: string, text: string): void {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }

    it('has nothing against a checkout without workflows, and against a good one', async () => {
      expect(await checkWorkflows(root)).toEqual([])
      write(PATH, GOOD)
      expect(await checkWorkflows(root)).toEqual([])
    })

    it.each([
      ['an unknown key', 'runs-on:', 'run-on:', '"run-on"'],
      ['an unknown runner', 'ubuntu-24.04', 'ubuntu-24', '"ubuntu-24" is unknown'],
      ['an unknown property', 'npm test', 'echo ${{ github.repositroy }}', '"repositroy"'],
    ])('tells of %s', async (_what, from, to, complaint) => {
      write(PATH, GOOD.replace(from, to))
      expect((await checkWorkflows(root)).join('\n')).toContain(complaint)
    })
  },
)
