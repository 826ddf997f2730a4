// @ts-check
/**
 * `npm run model`: checks the models of this folder with Spin. The protocol as it is must have no counterexample;
 * each defect that an option brings back must have one. Needs `spin` and a C compiler.
 * Exits 0 when all is as expected, 1 when not, 3 when a tool is missing.
 */
import '../../../scripts/node/on-supported-node.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The options of each model that bring a defect back, and the assertion that each violates. */
const MODELS = {
  'price-list.pml': {
    EARLY_REMOVE: 'rows[live]',
    NO_ROLLBACK_FENCE: 'undone<',
    REOPENED_CANCEL: 'status[t]!=',
    UNCONFIRMED_CLAIM: 'counted[t]==',
    KEPT_BY_PUBLICATION: 'versions>>seenActive',
    BACK_TO_BAD: 'bad>>target',
  },
  'ids.pml': {
    UNREAD_COUNTER: 'given>>id',
    NO_SKIP: 'given>>id',
    NO_QUESTION: 'supplies>>id',
    UNCHECKED_RAISE: 'given>>id',
    UNREAD_STOCK: 'given>>id',
  },
  'settings.pml': {
    ENTRY_AFTER_READ: 'answered',
    SHORT_ENTRIES: 'answered',
    EARLY_ANSWER: 'answered',
    AGE_OF_REPLY: 'answered',
    UNORDERED_READS: 'answered',
    NO_WAIT: 'answered',
  },
}

/** The table of states in large pages, where the system has them: a fifth less processor time. */
const env = { ...process.env, GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' }

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 26 })
  if (error && 'code' in error && error.code === 'ENOENT') {
    console.error(`${command} is not installed. On Debian: apt-get install spin gcc libc6-dev`)
    process.exit(3)
  }
  return { status, output: `${stdout}${stderr}` }
}

/**
 * @param {string} model @param {string | undefined} option
 * @returns {{errors: number, states: number, assertion: string}}
 */
function verify(model, option) {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-model-'))
  try {
    const generated = run('spin', [...(option ? [`-D${option}`] : []), '-a', join(import.meta.dirname, model)], folder)
    if (generated.status !== 0) throw new Error(`The model does not compile:\n${generated.output}`)
    // a defect is found after fewer states than are worth an optimized verifier
    const level = option ? '-O0' : '-O2'
    const compiled = run('cc', [level, '-w', '-DSAFETY', '-DHC4', '-DMEMLIM=4000', '-o', 'pan', 'pan.c'], folder)
    if (compiled.status !== 0) throw new Error(`The verifier does not compile:\n${compiled.output}`)
    const { output } = run('./pan', ['-E', '-m100000', '-w26'], folder)
    const errors = /errors: (\d+)/.exec(output)?.[1]
    const states = /(\d+) states, stored/.exec(output)?.[1]
    if (errors === undefined || /out of memory|max search depth/.test(output)) {
      throw new Error(`The search did not finish:\n${output}`)
    }
    return {
      errors: Number(errors),
      states: Number(states),
      assertion: /assertion violated (.*) \(at depth/.exec(output)?.[1] ?? '',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let isAsExpected = true
for (const [model, defects] of Object.entries(MODELS)) {
  for (const [option, assertion] of Object.entries(defects)) {
    const found = verify(model, option)
    const isFound = found.errors > 0 && found.assertion.includes(assertion)
    isAsExpected &&= isFound
    console.log(`${isFound ? 'ok    ' : 'FAILED'} ${model} ${option}: ${found.assertion || 'no counterexample'}`)
  }
  const { errors, states, assertion } = verify(model, undefined)
  isAsExpected &&= errors === 0
  console.log(`${errors === 0 ? 'ok    ' : 'FAILED'} ${model}: ${states} states, ${errors} errors ${assertion}`)
}
process.exitCode = isAsExpected ? 0 : 1
