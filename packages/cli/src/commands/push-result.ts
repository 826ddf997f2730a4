import type { AnswerError } from '@partsbus/client/answer-error'
import { type DetailLevel, detailLevels, type ResultDetails } from '@partsbus/contracts/errors'
import { countOf } from '../terminal/count-of.js'
import type { Terminal } from '../terminal/terminal.js'
import type { NumberedItem } from './read-items.js'

/** What became of an item that was not simply stored. */
export interface Finding {
  line: number | null
  id: string
  /** `rejected`, `failed`, `retrying` or `note` (erp.md#details-levels) */
  level: DetailLevel
  /** of erp.md#result-codes; absent where the answer names none */
  code?: string
  message: string
}

/** The answer to one batch. */
export interface BatchResult {
  counts: Record<string, number>
  /** fields that Partsbus does not know, and how often each was sent */
  ignored: Record<string, number>
  findings: Finding[]
}

export interface PushResult extends BatchResult {
  items: number
  batches: number
  /** sums of the numbers that batches were answered with, like `created` */
  counts: Record<string, number>
}

/** Findings of one level that are printed; `--json` has all of them. */
const SHOWN_FINDINGS = 20

export function addBatch(result: PushResult, { counts, ignored, findings }: BatchResult): void {
  result.batches += 1
  for (const finding of findings) result.findings.push(finding)
  addCounts(result.counts, counts)
  addCounts(result.ignored, ignored)
}

function addCounts(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}

export function readAnswer(answer: object, batch: readonly NumberedItem[]): BatchResult {
  const counts = Object.entries(answer).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const { details } = answer as { details?: Partial<ResultDetails> }
  if (details?.unchanged) counts.push(['unchanged', details.unchanged])
  const findings = (details?.items ?? []).map(({ index, key, level, code, message, reason }) => ({
    line: batch[index]?.line ?? null,
    id: key,
    level,
    code,
    message: reason === null ? message : `${message} (${reason})`,
  }))
  return { counts: Object.fromEntries(counts), ignored: details?.ignored_fields ?? {}, findings }
}

/** `3.name` is a field of the fourth item. A batch that is refused changes nothing. */
export function readRefusal({ errors, message }: AnswerError, batch: readonly NumberedItem[]): BatchResult {
  const findings = Object.entries(errors).map(([path, texts]): Finding => {
    const index = /(?:^|\.)(\d+)(?:\.|$)/.exec(path)?.[1]
    return { line: batch[Number(index)]?.line ?? null, id: path, level: 'rejected', message: texts.join(' ') }
  })
  if (findings.length === 0) findings.push({ line: batch[0]?.line ?? null, id: '', level: 'rejected', message })
  return { counts: {}, ignored: {}, findings }
}

/** @returns whether an item, or a part of it, was not stored */
export function printResult(
  result: PushResult,
  { isJson, isDryRun }: { isJson: boolean; isDryRun: boolean },
  terminal: Terminal,
): boolean {
  const { items, batches, counts, ignored, findings } = result
  const lost = findings.filter(({ level }) => level === 'rejected' || level === 'failed')
  if (isJson) terminal.print(JSON.stringify({ ...result, dry_run: isDryRun }))
  else {
    for (const text of describeFindings(findings)) terminal.print(text)
    for (const [name, count] of Object.entries(ignored))
      terminal.print(`field ${name} ignored: ${countOf(count, 'time')}`)
    // the item of a picture is stored, and counted as such
    const [pictures, others] = [lost.filter(isPicture).length, lost.filter((finding) => !isPicture(finding))]
    // an item may have several findings
    const failed = new Set(others.map((finding) => finding.line ?? finding)).size
    const sums = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    const sent = isDryRun ? ['nothing sent', `${failed} invalid`] : [...sums, `${failed} failed`]
    if (pictures > 0) sent.push(`${countOf(pictures, 'picture')} failed`)
    terminal.print(`${countOf(items, 'item')} in ${countOf(batches, 'batch', 'batches')}: ${sent.join(', ')}`)
  }
  return lost.length > 0
}

const isPicture = ({ code }: Finding): boolean => code === 'image_failed'

function describeFindings(findings: readonly Finding[]): string[] {
  const shown = new Map<DetailLevel, number>()
  const lines: string[] = []
  for (const { line, id, level, message } of findings) {
    const count = (shown.get(level) ?? 0) + 1
    shown.set(level, count)
    if (count <= SHOWN_FINDINGS) lines.push(`line ${line ?? '?'} ${id} ${level}: ${message}`)
  }
  for (const level of detailLevels) {
    const more = (shown.get(level) ?? 0) - SHOWN_FINDINGS
    if (more > 0) lines.push(`… and ${more} more ${level}; --json lists all`)
  }
  return lines
}
