import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Figure } from '../figures/measure.js'

/** What is stored of a group. */
interface Stored {
  commit: string | undefined
  steps: Record<string, { at: string; value: unknown }>
}

/**
 * The long steps of a group. With a file, the result of each step is stored as soon as it is there, and a step that is
 * stored is not run again. A step that fails is reported, and the group goes on with the next one.
 */
export class GroupSteps {
  /** One text for each step that failed. */
  readonly failures: string[] = []
  private stored: Stored

  /** @param file undefined for a run that stores nothing */
  constructor(
    readonly group: string,
    private readonly file?: string,
    private readonly commit?: string,
  ) {
    this.stored = (file === undefined ? undefined : readStored(file)) ?? { commit, steps: {} }
  }

  /** @returns undefined when the step is not stored */
  read<Value>(step: string): Value | undefined {
    return this.stored.steps[step]?.value as Value | undefined
  }

  write(step: string, value: unknown): void {
    this.stored.steps[step] = { at: new Date().toISOString(), value }
    this.stored.commit = this.commit
    if (this.file === undefined) return
    mkdirSync(dirname(this.file), { recursive: true })
    writeFileSync(`${this.file}.new`, JSON.stringify(this.stored))
    renameSync(`${this.file}.new`, this.file)
  }

  /** Deletes what is stored, so that everything is measured again. */
  forget(): void {
    this.stored = { commit: this.commit, steps: {} }
    if (this.file !== undefined) rmSync(this.file, { force: true })
  }

  /** @returns the figures of a step; none when it failed */
  async figures(step: string, run: () => Promise<Figure[]>): Promise<Figure[]> {
    const before = this.read<Figure[]>(step)
    if (before !== undefined) {
      console.log(`  ${this.group}, ${step}: stored ${this.stored.steps[step]?.at}`)
      return before
    }
    const startedAt = performance.now()
    console.log(`  ${this.group}, ${step} …`)
    try {
      const figures = await run()
      this.write(step, figures)
      console.log(`  ${this.group}, ${step}: ${Math.round((performance.now() - startedAt) / 1_000)} s`)
      return figures
    } catch (error) {
      this.fail(step, error)
      return []
    }
  }

  fail(step: string, error: unknown): void {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    console.error(`  ${this.group}, ${step} failed: ${reason}`)
    this.failures.push(`${this.group}, ${step}: ${reason.split('\n')[0]}`)
  }
}

/** @returns undefined when there is no such file, or an unreadable one */
function readStored(file: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stored
  } catch {
    return undefined
  }
}
