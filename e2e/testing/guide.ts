import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@jest/globals'
import { ROOT } from './shop.js'

/** A fenced block that a reader runs, with what the guide shows of its output. */
export interface Sample {
  language: string
  code: string
  /** the blocks of `json` or `text` below it, before the next sample */
  shown: { language: string; text: string }[]
}

const SHOWN = new Set(['json', 'text'])
/** The lines between the outputs of two samples. */
const END = '--- end of the sample ---'
/** Ids and durations, which differ from run to run; `request_id` is the reader's own. */
const VARYING = new Set(['id', 'task_id', 'price_list_id', 'storage_id', 'version', 'duration_ms', 'from', 'to'])
/** Lists that grow while the guide runs: it shows some of their entries. */
const SHORTENED = new Set(['batches'])

export function samplesOf(page: string): Sample[] {
  const text = readFileSync(join(ROOT, 'docs', 'guides', page), 'utf8')
  const samples: Sample[] = []
  for (const [, language = '', body = ''] of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (SHOWN.has(language)) samples.at(-1)?.shown.push({ language, text: body })
    else samples.push({ language, code: body, shown: [] })
  }
  return samples
}

/** Runs samples of a shell as a reader would, in one shell and an empty folder. @returns the output of each */
export async function runSamples(samples: readonly Sample[], values: Record<string, string | number>, start = '') {
  const folder = await mkdtemp(join(tmpdir(), 'partsbus-guide-'))
  const code = samples.map((sample) => setValues(sample.code, values))
  try {
    const script = [start, ...code].join(`\necho; echo '${END}'\n`)
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder, maxBuffer: 16 * 1024 * 1024 })
    return stdout.split(`${END}\n`).slice(1)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What a reader replaces: `TOKEN=paste-the-token-here`. */
function setValues(code: string, values: Record<string, string | number>): string {
  return code.replaceAll(/^((?:export )?)(\w+)=(\$\([^)\n]*\)|\S*)/gm, (text, prefix: string, name: string) =>
    name in values ? `${prefix}${name}='${values[name]}'` : text,
  )
}

/** Compares what a guide shows of its samples with what they printed. */
export function expectShown(samples: readonly Sample[], outputs: readonly string[]): void {
  expect(outputs).toHaveLength(samples.length)
  const shown = samples.flatMap((sample, at) => sample.shown.map((block) => ({ ...block, sample, at })))
  const printed = ({ language, sample, at }: (typeof shown)[number]) => ({
    code: sample.code,
    printed: language === 'text' ? outputs[at]?.trim() : answersIn(outputs[at] ?? ''),
  })
  const expected = ({ language, text, sample }: (typeof shown)[number]) => ({
    code: sample.code,
    printed: language === 'text' ? text.trim() : documentsIn(text),
  })
  expect(shown.map(printed)).toEqual(shown.map(expected))
}

/** What a guide does not show was not refused. */
export function expectAccepted(samples: readonly Sample[], outputs: readonly string[]): void {
  const answers = outputs.flatMap((output, at) => (samples[at]?.shown.length === 0 ? answersIn(output) : []))
  const isRefusal = (answer: object): boolean => 'message' in answer && !('result' in answer && answer.result)
  expect(answers.length).toBeGreaterThan(0)
  expect(answers.filter((answer) => isRefusal(answer as object))).toEqual([])
}

/** Each answer is a line of its own; a CSV or an address is none. */
const answersIn = (output: string): unknown[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => withoutVarying(JSON.parse(line)))

/** Each document begins in the first column. */
const documentsIn = (text: string): unknown[] =>
  text.split(/^(?=\{)/m).map((document) => withoutVarying(JSON.parse(document), shorten))

const shorten = (key: string, value: unknown): unknown =>
  SHORTENED.has(key) ? expect.arrayContaining(value as unknown[]) : value

/** @param finish gets each value of an object when it is done */
function withoutVarying(value: unknown, finish = (_key: string, done: unknown): unknown => done): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutVarying(each, finish))
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? '<time>' : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      VARYING.has(key) && each !== null ? `<${typeof each}>` : finish(key, withoutVarying(each, finish)),
    ]),
  )
}
